import type { RefusalCode } from "@notesoup/protocol";
import type { Difference } from "./differences.ts";
import { PROMPT } from "./host.ts";
import type { Row, Tool } from "./row.ts";
import { AGENT, OTHER_PROJECT } from "./world.ts";

interface Expected {
  readonly outcome?: Row["outcome"];
  readonly differs?: readonly Difference[];
}

const rowsOf =
  (tool: Tool) =>
  (does: string, args: Row["args"], { outcome = "success", differs = [] }: Expected = {}): Row => ({
    tool,
    does,
    args,
    outcome,
    differs,
  });

const write = rowsOf("notes_write");
const read = rowsOf("notes_read");
const update = rowsOf("notes_update");
const list = rowsOf("notes_list");
const search = rowsOf("notes_search");
const listHistory = rowsOf("history_list");
const readHistory = rowsOf("history_read");

const refused = (outcome: RefusalCode): Expected => ({ outcome });
/** What is done or was done in the run itself is told with its time. */
const NOW: Expected = { differs: ["times"] };
/** The session of the run: a host keeps in it what it likes beside what is said. */
const LIVE: Expected = { differs: ["times", "seqs"] };

const FIRST: readonly Row[] = [
  listHistory("finds what the person said", { roles: ["user"], from: "oldest", limit: 1 }, LIVE),
];

const WRITES: readonly Row[] = [
  write("makes a note of the project", { address: "@project/new.md", content: "One.\nTwo.\n", origin: "user" }, NOW),
  write("replaces a note", { address: "@project/decisions", content: "Use two libraries.\n" }, NOW),
  write("brings back what was set aside", { address: "@human/spent", content: "Fresh.\n" }, NOW),
  write("keeps every byte", { address: "@human/bytes-kept", content: "\u0000\t\r\n\u2028\u{1F9C9}\u007f" }, NOW),
  write("takes an empty body", { address: "@self/nothing", content: "" }, NOW),
  write("takes a name beyond ASCII", { address: "@model/ねこ/メモ", content: "にゃあ\n" }, NOW),
  write("writes into the session's own notebook", { address: "todo", content: "- [ ] tea\n" }, NOW),
  write("writes into another project", { address: "@project/here", content: "In.\n", cwd: OTHER_PROJECT }, NOW),
  write(
    "takes an address in another form of Unicode",
    { address: "@human/n\u0061\u0308\u0069\u0308ve/日本", content: "新\n" },
    NOW,
  ),
  write("writes a person's own file", { address: "@human/broken", content: "Mended.\n" }, NOW),
  write("refuses a way up", { address: "../a", content: "x" }, refused("invalid_address")),
  write("refuses a control character", { address: "a\nb", content: "x" }, refused("invalid_address")),
  write("refuses a notebook that there is not", { address: "@head", content: "x" }, refused("unknown_scope")),
  write("refuses another session's notebook", { address: "@sessions/s1/a", content: "x" }, refused("read_only")),
  write("refuses another agent's notebook", { address: "@agents/other/a", content: "x" }, refused("read_only")),
  write(
    "refuses a folder that there is not",
    { address: "@human/a", content: "x", cwd: "gone" },
    refused("invalid_cwd"),
  ),
  write("refuses half a character", { address: "@human/a", content: "x\ud800" }, refused("invalid_text")),
  write("refuses to write over what leads out", { address: "@human/out", content: "x" }, refused("outside_home")),
  write("refuses what is too large", { address: "@human/a", content: "x".repeat(1_048_577) }, refused("too_large")),
];

const HOST_FAILURES: readonly Row[] = [
  read("takes no call without an address", {}, { outcome: "host failure" }),
  read("takes no address that is an object", { address: { a: 1 } }, { outcome: "host failure" }),
  write(
    "takes no origin that there is not",
    { address: "@human/a", content: "x", origin: "dog" },
    { outcome: "host failure" },
  ),
  write(
    "takes no argument that there is not",
    { address: "@human/a", content: "x", scope: "y" },
    { outcome: "host failure" },
  ),
  update("takes no edits that are none", { address: "@human/style", edits: 3 }, { outcome: "host failure" }),
  search("takes no query that is an object", { query: { a: 1 } }, { outcome: "host failure" }),
  listHistory("takes no role that there is not", { roles: ["dog"] }, { outcome: "host failure" }),
  readHistory("takes no call without a seq", { session: "pi:tree-0001" }, { outcome: "host failure" }),
];

const READS: readonly Row[] = [
  read("reads a note", { address: "@human/style" }),
  read("reads what was written", { address: "@human/bytes-kept.md" }, NOW),
  read("reads a name beyond ASCII", { address: "@human/näïve/日本.md" }, NOW),
  read("reads frontmatter of others", { address: "@human/extra" }),
  read("reads an empty body", { address: "@human/empty" }),
  read("reads what was a person's own file", { address: "@human/broken" }, NOW),
  read("reads a person's own file", { address: "@human/plain" }, NOW),
  read("reads line ends of another system", { address: "@human/crlf" }),
  read("reads what was set aside", { address: "@self/spent" }),
  read("reads the session's own notebook", { address: "todo.md" }, NOW),
  read("reads another session's notebook", { address: "@sessions/s1/todo" }),
  read("reads another agent's notebook", { address: "@agents/other/habits" }),
  read("reads its own by its whole name", { address: `@agents/${AGENT}/habits` }),
  read("reads another model's notebook", { address: "@models/other/quirks" }),
  read("reads another project by its folder", { address: "@project/decisions", cwd: OTHER_PROJECT }),
  read("delivers as much of a long note as there is room for", { address: "@human/long" }),
  read("delivers what follows", { address: "@human/long", offset_chars: 12_000 }),
  read("delivers a window within it", { address: "@human/long", offset_chars: 17_999, limit_chars: 5 }),
  read("delivers the tail", { address: "@human/long", offset_chars: -4 }),
  read("delivers nothing behind the end", { address: "@human/long", offset_chars: 1_000_000 }),
  read("counts code points", { address: "@human/points", offset_chars: 1, limit_chars: 1 }),
  read("takes a tail that is longer than the text", { address: "@human/style", offset_chars: -1000, limit_chars: 5 }),
  read("refuses a window of nothing", { address: "@human/style", limit_chars: 0 }, refused("invalid_range")),
  read("refuses a note that there is not", { address: "@project/none" }, refused("not_found")),
  read("refuses bytes that are no text", { address: "@human/bytes" }, refused("not_utf8")),
  read("refuses what leads out", { address: "@human/out" }, refused("outside_home")),
  read("refuses a folder", { address: "@human/folder" }, refused("io")),
  read(
    "refuses frontmatter that leaves no room",
    { address: "@projects/other-11111111/keys" },
    refused("output_too_large"),
  ),
  read("refuses an empty address", { address: "" }, refused("invalid_address")),
];

const edit = (old_text: string, new_text: string): object => ({ old_text, new_text });

const UPDATES: readonly Row[] = [
  update(
    "edits in order",
    { address: "@human/style", edits: [edit("Plain", "Clear"), edit("Clear words", "Words")] },
    NOW,
  ),
  update("edits every match", { address: "@human/lines", edits: [edit("hay", "straw 🌾")], replace_all: true }, NOW),
  update("edits other line ends", { address: "@human/crlf", edits: [edit("one\r\ntwo", "two\r\none")] }, NOW),
  update("changes who it comes from", { address: "@human/empty", origin: "user" }, NOW),
  update("moves", { address: "@project/new", rename_to: "@human/moved/here" }, NOW),
  update(
    "moves and edits at once",
    { address: "@human/moved/here", edits: [edit("Two.", "Zwei.")], rename_to: "@self/ü" },
    NOW,
  ),
  update("sets aside", { address: "@human/extra", crumpled: true }),
  update("changes nothing the second time", { address: "@human/extra", crumpled: true }),
  update("moves onto what was set aside", { address: "@self/ü", rename_to: "@human/extra" }, NOW),
  update("sets another agent's note aside", { address: "@agents/other/habits", crumpled: true }),
  update("moves the session's note to the project", { address: "todo", rename_to: "@project/todo" }, NOW),
  update("moves nothing onto itself", { address: "@project/todo", rename_to: "@project/todo.md" }, NOW),
  update(
    "refuses to edit another agent's note",
    { address: "@agents/other/habits", edits: [edit("Leap", "x")] },
    refused("read_only"),
  ),
  update("refuses a note that there is not", { address: "@human/none", crumpled: true }, refused("not_found")),
  update(
    "refuses text that is not there",
    { address: "@human/style", edits: [edit("none", "x")] },
    refused("no_match"),
  ),
  update(
    "refuses text that is there twice",
    { address: "@human/style", edits: [edit("o", "x")] },
    refused("ambiguous_match"),
  ),
  update("refuses to replace nothing", { address: "@human/style", edits: [edit("", "x")] }, refused("empty_edit")),
  update("refuses to do nothing", { address: "@human/style" }, refused("nothing_to_do")),
  update(
    "refuses to move onto a note",
    { address: "@human/style", rename_to: "@human/long" },
    refused("already_exists"),
  ),
  update(
    "refuses another project's note",
    { address: "@projects/other-11111111/keys", crumpled: true },
    refused("read_only"),
  ),
  update(
    "does nothing of what it refuses",
    { address: "@human/style", edits: [edit("Words", "Wörter"), edit("none", "x")] },
    refused("no_match"),
  ),
  read("finds it as it was", { address: "@human/style" }, NOW),
];

const LISTS: readonly Row[] = [
  list("lists the five notebooks", {}, NOW),
  list("lists a notebook", { glob: "@project/**" }, NOW),
  list("lists a folder", { glob: "@project/log/*" }),
  list("lists by alternatives", { glob: "@{human,self}/{style,habits}.md" }, NOW),
  list("lists by a class and by one letter", { glob: "@human/[e-l]?*.md" }, NOW),
  list("lists names beyond ASCII", { glob: "@*/n?ïve/??.md" }, NOW),
  list("lists in every notebook", { glob: "**/{quirks,todo}.md" }, NOW),
  list("lists every project", { glob: "@projects/*/**" }, NOW),
  list("lists the five notebooks by their name", { glob: "@default", limit: 3 }, NOW),
  list("lists other sessions", { glob: "@sessions/s1/**" }),
  list("lists what was set aside", { crumpled: true, glob: "**/habits.md" }, NOW),
  list("lists another project by its folder", { glob: "@project/**", cwd: OTHER_PROJECT }, NOW),
  list("counts what was left out", { glob: "@human/**", limit: 2 }, NOW),
  list("counts what there is no room for", { glob: "@agents/crowd/**" }),
  list("finds nothing", { glob: "@human/none/**" }),
  list("refuses a limit of nothing", { limit: 0 }, refused("invalid_range")),
  list("refuses a glob that is none", { glob: "@default/**" }, refused("invalid_glob")),
  list("refuses a glob with a backslash", { glob: "a\\b" }, refused("invalid_glob")),
  list("refuses a notebook that there is not", { glob: "@head/**" }, refused("unknown_scope")),
  list("refuses a folder that there is not", { cwd: "gone" }, refused("invalid_cwd")),
];

const SEARCHES: readonly Row[] = [
  search("finds a text in any case", { query: "NeEdLe" }),
  search("finds in every notebook", { query: "needle", glob: "**" }),
  search("finds any of several", { query: ["zwei", "leap", ""] }),
  search("finds what is no expression", { query: "[x] {y} *z* ?" }),
  search("finds text beyond ASCII in any case", { query: "WÖRTER 一" }),
  search("finds half a sequence of code points", { query: "👩" }),
  search("counts lines that there is no room for", { query: "😀", glob: "@human/long.md" }),
  search("counts notes that were left out", { query: "one of many", glob: "@agents/crowd/**", limit: 3 }),
  search("lists without a text", { glob: "@human/{style,long}.md" }),
  search("finds in another project by its folder", { query: "needle", cwd: OTHER_PROJECT }),
  search("cuts a line that is longer than a result", { query: "nadel" }),
  search("finds what was set aside", { query: "leap", glob: "**", crumpled: true }),
  search("finds nothing", { query: "none of these" }),
  search("refuses a glob that is none", { query: "x", glob: "@default/**" }, refused("invalid_glob")),
];

const SAID = { roles: ["user", "assistant"] };

const HISTORY: readonly Row[] = [
  listHistory("lists what was said in this session", SAID, LIVE),
  listHistory("finds in this session", { query: "TABLE. ☕", roles: ["user"] }, LIVE),
  listHistory(
    "finds a call of this session",
    { query: "One.", roles: ["tool"], from: "oldest", limit: 1 },
    { differs: ["times", "seqs", "toolNames", "places"] },
  ),
  listHistory("finds nothing", { query: "none of these", ...SAID }),
  listHistory("lists a session by its whole name", { session: "pi:tree-0001", limit: 10 }),
  listHistory("lists a session by its id", { session: "errors-0003" }),
  listHistory("lists a session by the beginning of its id", { session: "plugin" }),
  listHistory("lists its tools", {
    session: "claude:parallel-0002",
    roles: ["tool"],
    limit: 5,
    max_chars_per_item: 80,
  }),
  listHistory("lists from the oldest", { session: "dsh:scripts-0006", from: "oldest", limit: 3 }),
  listHistory("lists between two seqs", { session: "pi:tree-0001", after_seq: 3, before_seq: 12 }),
  listHistory("lists between two times", {
    session: "pi:tree-0001",
    since: "2026-11-30T16:58:25Z",
    until: "2026-11-30T16:58:28.500Z",
  }),
  listHistory("lists as much as there is room for", {
    session: "claude:plugin-0005",
    limit: 200,
    max_chars_per_item: 30_000,
    roles: ["tool"],
  }),
  listHistory("refuses a session that cannot be read", { session: "dsh:future-0008" }, refused("session_unreadable")),
  listHistory(
    "refuses a range with nothing in it",
    { session: "pi:tree-0001", after_seq: 5, before_seq: 3 },
    refused("invalid_range"),
  ),
  listHistory("finds in a session", { session: "pi:nested-0004", query: "tools" }),
  listHistory("lists all sessions", { session: "*" }, { differs: ["times", "seqs", "session"] }),
  listHistory("finds in all sessions", { session: "*", query: ["answer", "finished"], roles: ["assistant"], limit: 4 }),
  listHistory("finds in all sessions of a harness", { session: "claude:*", query: "plan", roles: ["user"], limit: 2 }),
  listHistory("refuses seqs of several sessions", { session: "*", before_seq: 3 }, refused("wildcard_bounds")),
  listHistory("refuses a session that there is not", { session: "none-of-these" }, refused("session_not_found")),
  listHistory("refuses a name that several have", { session: "parallel" }, refused("ambiguous_session")),
  listHistory("refuses a limit of nothing", { limit: 0 }, refused("invalid_range")),
  listHistory("refuses a time that is none", { since: "yesterday" }, refused("invalid_time")),
  readHistory("reads what the person said", (promptSeq) => ({ seq: promptSeq }), LIVE),
  readHistory(
    "reads a window of it",
    (promptSeq) => ({ seq: promptSeq, offset_chars: PROMPT.length - 1, limit_chars: 1 }),
    LIVE,
  ),
  readHistory("reads what a host put into a session", { session: "claude:parallel-0002", seq: 0 }),
  readHistory("reads what a script called", { session: "nested-0004", seq: 5 }),
  readHistory("reads as much as there is room for", { session: "plugin-0005", seq: 9 }),
  readHistory("refuses the place of a result", { session: "plugin-0005", seq: 10 }, refused("seq_not_found")),
  readHistory("reads the tail", { session: "pi:tree-0001", seq: 5, offset_chars: -20 }),
  readHistory("refuses a seq that there is not", { seq: 4711 }, { outcome: "seq_not_found", differs: ["seqs"] }),
  readHistory(
    "refuses a session that there is not",
    { session: "none-of-these", seq: 1 },
    refused("session_not_found"),
  ),
  readHistory(
    "refuses a window of nothing",
    { session: "pi:tree-0001", seq: 5, limit_chars: 0 },
    refused("invalid_range"),
  ),
];

/** The calls, in the order in which they are made: what one of them changes, those behind it find changed. */
export const TABLE: readonly Row[] = [
  ...FIRST,
  ...WRITES,
  ...HOST_FAILURES,
  ...READS,
  ...UPDATES,
  ...LISTS,
  ...SEARCHES,
  ...HISTORY,
];
