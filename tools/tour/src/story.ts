import { lastToolText, type ChatRequest, type Step, textOf, type ToolCall } from "@notesoup/scripted-model";

/** One session of the tour: what the person says, and what the scripted model does about it. */
export interface Chapter {
  readonly title: string;
  readonly prompt: string;
  readonly steps: readonly Step<ChatRequest>[];
}

const ADDRESS = "@project/decisions.md";

const DECISION = `# Decisions

- Notes are plain markdown files, one store for every host.
  Why: a person can read, edit and diff them without any tool of ours.
`;

/** Prints more than one answer can hold; the failure is far behind in it. */
const ACCEPTANCE = `for i in $(seq 1 900); do echo "acceptance case $i of 900: $(if [ $i = 777 ]; then echo FAILED; else echo passed, as expected; fi)"; done`;

const HANDOVER = "handover.md";

/** What the scripted model claims to have read: so much that the window is nearly full. */
const NEARLY_FULL = { inputTokens: 92_000 };

const call = (name: string, args: object): { readonly toolCalls: readonly ToolCall[] } => ({
  toolCalls: [{ name, args }],
});

/** The tour, a session a chapter. The model is scripted; what it learns in a later session it has from the notes alone. */
export const STORY: readonly Chapter[] = [
  {
    title: "Session 1: something is decided",
    prompt:
      "We keep notes as plain markdown files, so that people can edit them without tools. Please remember that for this project.",
    steps: [
      call("notes_write", { address: ADDRESS, content: DECISION, origin: "user" }),
      "Noted for this project, with the reason. Another session will find it.",
    ],
  },
  {
    title: "Session 2: a new Pi, with an empty context window",
    prompt: "How do we store notes, and why?",
    steps: [call("notes_search", { query: "markdown" }), call("notes_read", { address: ADDRESS }), answerFromNote],
  },
  {
    title: "Session 3: the note is corrected, and a spent one set aside",
    prompt: "The store is for every host and for scripts. And forget the scratch note that you are about to make.",
    steps: [
      call("notes_update", {
        address: ADDRESS,
        edits: [{ old_text: "one store for all", new_text: "one store for every host and for scripts" }],
      }),
      correctEdit,
      call("notes_write", { address: "@project/scratch.md", content: "Only for a moment.\n" }),
      call("notes_update", { address: "@project/scratch.md", crumpled: true }),
      call("notes_list", { glob: "@project/**" }),
      call("notes_update", { address: "@project/scratch.md", crumpled: false }),
      "Corrected. The first try named a text that the note does not hold; the refusal said so, and nothing had changed. The scratch note was set aside and brought back: crumpling loses nothing.",
    ],
  },
  {
    title: "Session 4: a command is run, and nothing is written down about it",
    prompt: "Run the acceptance cases.",
    steps: [call("bash", { command: ACCEPTANCE }), "All cases ran; one of them failed. I leave it at that for today."],
  },
  {
    title: "Session 5: what did we run, and which case failed?",
    prompt: "Which command ran the acceptance cases the other day, and which one failed?",
    steps: [
      call("history_list", { session: "pi:*", query: "acceptance case" }),
      readWhatRan,
      readOn,
      answerFromHistory,
    ],
  },
  {
    title: "Session 6: the context window fills up, and the work goes on",
    prompt: "Find out which acceptance case fails and why, and tell me at the end how we keep notes here.",
    steps: [
      {
        ...call("bash", { command: "grep -c . README.md || echo 'no README yet: case 777 expects one'" }),
        usage: NEARLY_FULL,
      },
      handOver,
      goOnFromNotes,
      call("history_list", { query: "case 777" }),
      answerInNewWindow,
    ],
  },
];

/** What an agent does about a refusal: it takes the text from the note, as the refusal says. */
function correctEdit(request: ChatRequest): Step<ChatRequest> {
  const refusal = lastToolText(request) ?? "";
  if (!refusal.startsWith("error: no_match: ")) throw new Error(`Not refused as the story says:\n${refusal}`);
  return call("notes_update", {
    address: ADDRESS,
    edits: [{ old_text: "one store for every host.", new_text: "one store for every host and for scripts." }],
  });
}

/** Says what the note said, so that the answer is wrong if the note did not come through. */
function answerFromNote(request: ChatRequest): string {
  const note = lastToolText(request) ?? "";
  const decision = /^- (?<decision>.*)$/mu.exec(note)?.groups?.["decision"];
  const reason = /^ {2}Why: (?<reason>.*)$/mu.exec(note)?.groups?.["reason"];
  if (decision === undefined || reason === undefined) throw new Error(`The note does not hold the decision:\n${note}`);
  return `From ${ADDRESS}: ${decision} The reason given: ${reason}`;
}

/** Reads the execution that the list has found. */
function readWhatRan(request: ChatRequest): Step<ChatRequest> {
  const list = lastToolText(request) ?? "";
  const { session, seq } =
    /^session (?<session>\S+) \| seq (?<seq>\d+) \| tool \| \S+ \| bash /mu.exec(list)?.groups ?? {};
  if (session === undefined) throw new Error(`The command is not in the list:\n${list}`);
  return call("history_read", { session, seq: Number(seq) });
}

/** Reads the rest of it, from where the first part says. */
function readOn(request: ChatRequest): Step<ChatRequest> {
  const part = lastToolText(request) ?? "";
  const { session, seq } = /^session (?<session>\S+) \| seq (?<seq>\d+) \| /u.exec(part)?.groups ?? {};
  const next = /\[truncated; continue at offset_chars=(?<next>\d+)\]$/u.exec(part)?.groups?.["next"];
  if (session === undefined || next === undefined) throw new Error(`There is nothing to go on with:\n${part}`);
  return call("history_read", { session, seq: Number(seq), offset_chars: Number(next) });
}

/** Says what the second part said. */
function answerFromHistory(request: ChatRequest): string {
  const part = lastToolText(request) ?? "";
  const failed = /^acceptance case (?<failed>\d+) of 900: FAILED$/mu.exec(part)?.groups?.["failed"];
  if (failed === undefined) throw new Error(`The failure is not in this part:\n${part.slice(0, 400)}`);
  return `It was a shell loop over 900 acceptance cases, in an earlier session, and case ${failed} failed. Nobody had noted that: it is in the session's own record.`;
}

/** Reminded that little is left, the agent writes down what must survive, and empties its window. */
function handOver(request: ChatRequest): Step<ChatRequest> {
  const reminder = textOf(request.messages.at(-1) ?? { role: "user" });
  if (!reminder.startsWith("Tokens left in this context window:")) throw new Error(`No reminder came:\n${reminder}`);
  const content = `# Handover

- Asked for: which acceptance case fails and why; at the end, how we keep notes here.
- Done: case 777 fails, for it expects a README, and there is none yet.
- Next: look up in history how that was seen, read ${ADDRESS}, and answer.
`;
  return {
    toolCalls: [
      { name: "notes_write", args: { address: HANDOVER, content } },
      { name: "empty_brain", args: {} },
    ],
  };
}

/** All that the agent knows here is the text with which the window begins. */
function goOnFromNotes(request: ChatRequest): Step<ChatRequest> {
  const text = request.messages.map(textOf).join("\n");
  if (text.includes("Find out which acceptance case")) throw new Error("The old window is still there.");
  if (!text.includes(`- ${HANDOVER} · `)) throw new Error(`The handover is not named in the boot:\n${text}`);
  return {
    toolCalls: [
      { name: "notes_read", args: { address: HANDOVER } },
      { name: "notes_read", args: { address: ADDRESS } },
    ],
  };
}

/** Answers from a note of before, and from the record of the window that was emptied. */
function answerInNewWindow(request: ChatRequest): string {
  const texts = request.messages.filter(({ role }) => role === "tool").map(textOf);
  const why = texts.some((text) => text.includes("Done: case 777 fails, for it expects a README"));
  const seen = /^seq (?<seq>\d+) \| tool \| \S+ \| bash ok /mu.exec(texts.join("\n"))?.groups?.["seq"];
  const how = texts.some((text) => text.includes("Notes are plain markdown files"));
  if (!why || !how || seen === undefined) throw new Error(`Something did not come through:\n${texts.join("\n")}`);
  return `Case 777 fails: it expects a README, and there is none (seen at seq ${seen}, in the window before this one). And notes here are plain markdown files, one store for every host and for scripts.`;
}
