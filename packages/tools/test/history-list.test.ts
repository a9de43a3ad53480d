import { type HistoryListArguments, type HistoryListResult, historyListTool, resultOf } from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import { countCodePoints } from "@notesoup/text";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { historyList, type HistoryToolContext } from "../src/index.ts";
import {
  awkwardTexts,
  eventRows,
  listed,
  liveContext,
  PiRecords,
  prompts,
  read,
  seqsOf,
  START,
  visited,
} from "./history-fixture.ts";
import { code } from "./notes-fixture.ts";

let session: PiRecords;

beforeEach(() => {
  session = new PiRecords();
});

/** A context in which the session is the live one, as it is now. */
const now = (): HistoryToolContext => liveContext(session);

describe("history_list of the live session", () => {
  it("lists events ascending by seq with the beginnings of their documents, and names no session", async () => {
    session.user("Remember: plain files.");
    session.assistant("Noted.");
    session.run("c1", { command: "ls" }, "a.txt", { fullOutputPath: "/tmp/out.log" });
    const answer = await historyList(now(), { max_chars_per_item: 10 });
    expect(resultOf(answer.outcome)).toEqual({
      items: [
        { seq: 0, role: "user", created_at: "2026-01-01T00:00:00.000Z", text: "Remember: ", more_chars: 12 },
        { seq: 1, role: "assistant", created_at: "2026-01-01T00:00:01.000Z", text: "Noted." },
        {
          seq: 2,
          role: "tool",
          created_at: "2026-01-01T00:00:02.000Z",
          tool: "bash",
          tool_status: "ok",
          output_truncated: true,
          full_output_path: "/tmp/out.log",
          text: "bash · ok\n",
          more_chars: expect.any(Number),
        },
      ],
      page_older: null,
      page_newer: null,
    });
    expect(Check(historyListTool.result, resultOf(answer.outcome))).toBe(true);
    expect(answer.text).toBe(renderHistoryList(resultOf(answer.outcome) as HistoryListResult));
  });

  it("folds what stands between two messages, and a fold of one event is the event", async () => {
    session.user("go");
    session.run("c1", {}, "1");
    session.context("reminder");
    session.run("c2", {}, "2", { tool: "__proto__" });
    session.assistant("done");
    session.context("alone");
    const page = await listed(now(), {});
    expect(seqsOf(page)).toEqual([0, "1–4", 6, 7]);
    expect(page.items[1]).toEqual({
      folded: { from_seq: 1, to_seq: 4, events: 3, tools: { bash: 1, context: 1, ["__proto__"]: 1 } },
      expand: { after_seq: 0, before_seq: 5, roles: ["tool", "context"], from: "oldest" },
    });
    expect(await visited(now(), {})).toEqual(session.addresses);
  });

  it.each<[string, HistoryListArguments]>([
    ["roles", { roles: ["tool", "context"] }],
    ["a query", { query: "out" }],
  ])("does not fold with %s", async (_, args) => {
    session.run("c1", {}, "out");
    session.run("c2", {}, "out");
    expect(seqsOf(await listed(now(), args))).toEqual([0, 2]);
  });

  it.each<HistoryListArguments>([{ query: "" }, { query: [] }, { query: ["", ""] }, { roles: [] }])(
    "folds, for nothing is searched or filtered, with %j",
    async (args) => {
      session.run("c1", {}, "out");
      session.run("c2", {}, "out");
      expect(seqsOf(await listed(now(), args))).toEqual(["0–2"]);
    },
  );

  it("has no rows of a session in which nothing has happened", async () => {
    const answer = await historyList(now(), {});
    expect(resultOf(answer.outcome)).toEqual({ items: [], page_older: null, page_newer: null });
    expect(answer.text).toBe("no events found");
  });

  it("counts 20 rows from the newest where nothing else is said, and the other end where it is", async () => {
    session = prompts(30);
    const newest = await listed(now(), {});
    expect([newest.items.length, seqsOf(newest)[0], seqsOf(newest).at(-1)]).toEqual([20, 10, 29]);
    expect(seqsOf(await listed(now(), { from: "oldest", limit: 2 }))).toEqual([0, 1]);
    expect(seqsOf(await listed(now(), { after_seq: 4, before_seq: 8 }))).toEqual([5, 6, 7]);
  });
});

describe("a search", () => {
  it("ignores case and empty texts, and any of several is enough", async () => {
    session.user("An Étude");
    session.user("a note");
    session.user("nothing");
    expect(seqsOf(await listed(now(), { query: ["", "étude", "NOTE"] }))).toEqual([0, 1]);
  });

  it("says where the match is in the document that a read delivers", async () => {
    await fc.assert(
      fc.asyncProperty(awkwardTexts, awkwardTexts, fc.integer({ min: 1, max: 60 }), async (before, after, maxChars) => {
        session = new PiRecords();
        const seq = session.run("c1", {}, `${before} Needle ${after.repeat(20)}`);
        const call: HistoryListArguments = { query: "needle", max_chars_per_item: maxChars };
        const [hit] = eventRows(await listed(now(), call));
        const offset = hit?.match_offset_chars ?? -1;
        expect((await read(now(), { seq, offset_chars: offset, limit_chars: 6 })).text).toBe("Needle");
        const { text: document, total_chars: total } = await read(now(), { seq });
        expect(document).toContain(hit?.text);
        expect(countCodePoints(hit?.text ?? "") + (hit?.more_chars ?? 0)).toBe(total);
        if (maxChars >= 8) expect(hit?.text).toContain("Needle");
      }),
    );
  });
});

describe("the time of an event", () => {
  const only = async (args: HistoryListArguments): Promise<(number | string)[]> => seqsOf(await listed(now(), args));

  it("is taken from since on, and before until", async () => {
    session = prompts(4);
    const at = (milliseconds: number): string => new Date(START + milliseconds).toISOString();
    expect(await only({ since: at(2000) })).toEqual([2, 3]);
    expect(await only({ since: at(2001) })).toEqual([3]);
    expect(await only({ until: at(2000) })).toEqual([0, 1]);
    expect(await only({ until: at(2001) })).toEqual([0, 1, 2]);
    expect(await only({ since: at(1000), until: at(3000) })).toEqual([1, 2]);
  });

  it("matches neither bound where it was not recorded", async () => {
    session.user("no time", { time: null });
    session.user("a time");
    expect(await only({})).toEqual([0, 1]);
    expect(await only({ since: "1970-01-01" })).toEqual([1]);
    expect(await only({ until: "9999-01-01" })).toEqual([1]);
    expect(eventRows(await listed(now(), {}))[0]?.created_at).toBeNull();
  });

  it.each<[string, number]>([
    ["2026-11-30T19:04:18.197Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
    ["2026-11-30T19:04:18,197Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
    ["2026-11-30T19:04:18Z", Date.UTC(2026, 10, 30, 19, 4, 18)],
    ["2026-11-30T19:04Z", Date.UTC(2026, 10, 30, 19, 4)],
    ["2026-11-30T24:00:00Z", Date.UTC(2026, 11, 1)],
    ["2026-11-30T19:04+05:30", Date.UTC(2026, 10, 30, 13, 34)],
    ["2026-11-30T19:04:18-0230", Date.UTC(2026, 10, 30, 21, 34, 18)],
    ["2026-11-30T01:04:18+02", Date.UTC(2026, 10, 29, 23, 4, 18)],
    ["2026-11-30T19:04:18.197", new Date(2026, 10, 30, 19, 4, 18, 197).getTime()],
    ["2026-11-30T19:04", new Date(2026, 10, 30, 19, 4).getTime()],
    ["2026-11-30", new Date(2026, 10, 30).getTime()],
    ["2024-02-29", new Date(2024, 1, 29).getTime()],
    // Finer than what is recorded: an event of that millisecond was before it.
    ["2026-11-30T19:04:18.1961Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
  ])("is compared with %s exactly, local where no zone is given", async (given, time) => {
    session.user("before", { time: time - 1 });
    session.user("then", { time });
    expect(await only({ since: given })).toEqual([1]);
    expect(await only({ until: given })).toEqual([0]);
  });

  it.each([
    "yesterday",
    "",
    "2026",
    "2026-11",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2025-02-29",
    "2026-11-30 19:04",
    "2026-11-30T25:00",
    "2026-11-30T24:01",
    "2026-11-30T19:60",
    "2026-11-30T19:04:60Z",
    "2026-11-30T19",
    "2026-11-30T19:04:18+24:00",
    "2026-11-30T19:04:18+02:60",
    "2026-11-30Z",
    "2026-11-30\n",
    "+002026-11-30",
    "1764529458",
    1_764_529_458,
    null,
  ])("cannot be compared with %j: invalid_time", async (given) => {
    for (const name of ["since", "until"]) {
      const answer = await historyList(now(), { [name]: given });
      expect(code(answer)).toBe("invalid_time");
      expect(answer.text).toContain(`${name} is`);
    }
  });
});
