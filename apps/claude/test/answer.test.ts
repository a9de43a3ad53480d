import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer } from "../src/helper/answer.ts";
import type { HelperAnswer } from "../src/transport/answer.ts";
import type { SessionFacts } from "../src/transport/request.ts";
import { callOf, codeOf, sessionOfTest } from "./session.ts";

const dataOf = (given: HelperAnswer): unknown =>
  given.kind === "outcome" && given.outcome.ok ? given.outcome.data : undefined;

const bootOf = async (session: SessionFacts, begins: "here" | "before"): Promise<HelperAnswer> =>
  answer(JSON.stringify({ kind: "boot", begins, session }));

/** A session in which a person and the model have spoken, in two windows. */
async function spokenSession(): Promise<SessionFacts> {
  const session = await sessionOfTest({ head: "5" });
  const { sessionId, baseCwd: cwd } = session;
  const rows = [
    { type: "user", uuid: "1", parentUuid: null, message: { role: "user", content: "remember the tea" } },
    { type: "assistant", uuid: "2", parentUuid: "1", message: { id: "m1", content: [{ type: "text", text: "yes" }] } },
    { type: "system", subtype: "compact_boundary", uuid: "3", parentUuid: null, logicalParentUuid: "2" },
    { type: "user", uuid: "4", parentUuid: "3", message: { role: "user", content: "and now" } },
    { type: "user", uuid: "5", parentUuid: "4", message: { role: "user", content: "more" } },
    { type: "user", uuid: "6", parentUuid: "1", message: { role: "user", content: "of a branch that was left" } },
  ];
  const timestamp = "2026-11-30T09:00:00.000Z";
  const lines = rows.map((row) => JSON.stringify({ sessionId, cwd, timestamp, isSidechain: false, ...row }));
  await writeFile(session.transcriptPath, `${lines.join("\n")}\n`);
  return session;
}

describe("a call", () => {
  it("is done for the session that the request names", async () => {
    const session = await sessionOfTest({ agent: "Ada Lovelace" });
    const written = await answer(callOf(session, "notes_write", { address: "@self/a.md", content: "hi" }));
    expect(dataOf(written)).toMatchObject({ address: "@self/a.md", outcome: "created", bytes: 2 });
    const read = await answer(callOf(session, "notes_read", { address: "@agents/ada-lovelace/a.md" }));
    expect(dataOf(read)).toMatchObject({ text: "hi" });
  });

  it("resolves a relative cwd against the session's root, and not against where the helper is", async () => {
    const session = await sessionOfTest();
    const written = await answer(
      callOf(session, "notes_write", { address: "@project/a.md", content: "hi", cwd: "../project" }),
    );
    const read = await answer(callOf(session, "notes_read", { address: "@project/a.md" }));
    expect([codeOf(written), codeOf(read)]).toEqual(["ok", "ok"]);
  });

  it.each([
    [{}, "address"],
    [{ address: 3 }, "address must be string"],
    [{ address: "a.md", other: 1 }, 'no parameter is named "other"'],
    ["a.md", "must be object"],
    [null, "must be object"],
  ])("with arguments that the tool does not take is no outcome: %j", async (args, why) => {
    const given = await answer(callOf(await sessionOfTest(), "notes_read", args));
    expect(given.kind).toBe("failure");
    const { line } = given as { readonly line: string };
    expect(line.startsWith("error: invalid_arguments: notes_read: ")).toBe(true);
    expect(line).toContain(why);
  });

  it("refuses with a code where there is nothing, and where there can be nothing", async () => {
    const session = await sessionOfTest();
    expect(codeOf(await answer(callOf(session, "notes_read", { address: "a.md" })))).toBe("not_found");
    const closed = { ...session, notesHome: join(session.baseCwd, "file", "notes") };
    await writeFile(join(session.baseCwd, "file"), "");
    expect(codeOf(await answer(callOf(closed, "notes_write", { address: "a.md", content: "" })))).toBe("io");
  });

  it("says which setting it cannot be done with", async () => {
    const session = await sessionOfTest();
    const withHome = callOf({ ...session, notesHome: "notes" }, "notes_list", {});
    const withAgent = callOf({ ...session, agent: "!!" }, "notes_list", {});
    expect(codeOf(await answer(withHome))).toBe("invalid_home");
    expect(codeOf(await answer(withAgent))).toBe("invalid_agent");
  });
});

describe("history", () => {
  it("is that of the session up to the head that the host names", async () => {
    const listed = await answer(callOf(await spokenSession(), "history_list", { roles: ["user"] }));
    const { items } = dataOf(listed) as { readonly items: readonly { readonly text: string }[] };
    expect(items.map(({ text }) => text)).toEqual(["remember the tea", "and now", "more"]);
  });

  it("of a session that has not begun is empty", async () => {
    expect(dataOf(await answer(callOf(await sessionOfTest(), "history_list", {})))).toMatchObject({ items: [] });
  });

  it("of a session that keeps none is refused, and that of others is there", async () => {
    const session = { ...(await sessionOfTest()), transcriptPath: "" };
    expect(codeOf(await answer(callOf(session, "history_list", {})))).toBe("session_not_found");
    expect(codeOf(await answer(callOf(session, "history_list", { session: "*", limit: 1 })))).toBe("ok");
  });

  it("finds the session by its name, where the host keeps its transcripts", async () => {
    const session = await spokenSession();
    const args = { session: `claude:${session.sessionId}`, query: "tea" };
    const listed = await answer(callOf(session, "history_list", args));
    expect(dataOf(listed)).toMatchObject({ session: args.session, items: [{ seq: 0 }] });
    expect(dirname(session.transcriptPath)).not.toContain(".claude");
  });
});

describe("a boot", () => {
  it("that begins here counts all that was said to the windows before it", async () => {
    const session = await spokenSession();
    const boot = await bootOf(session, "here");
    expect(boot).toMatchObject({ kind: "boot", windowId: `${session.sessionId}:3`, lastPromptSeq: 4 });
    expect((boot as { readonly text: string }).text).toContain("Earlier windows of this session · 2");
  });

  it("of the window that is there counts those before it", async () => {
    const session = await spokenSession();
    const boot = await bootOf(session, "before");
    expect(boot).toMatchObject({ windowId: `${session.sessionId}:2` });
    expect((boot as { readonly text: string }).text).toContain("Earlier windows of this session · 1");
  });

  it("speaks of the tools by the names that the model knows", async () => {
    const boot = (await bootOf(await sessionOfTest(), "before")) as { readonly text: string };
    expect(boot.text).toContain("mcp__notesoup__notes_read opens a note");
    expect(boot.text).toContain("mcp__notesoup__get_context_remaining tells how much of the window is left.");
    expect(boot.text).not.toContain("empty_brain");
  });

  it("is made for a session that keeps no transcript too, and says nothing of windows then", async () => {
    const boot = (await bootOf(await sessionOfTest({ transcriptPath: "" }), "before")) as { readonly text: string };
    expect(boot).toMatchObject({ kind: "boot", lastPromptSeq: null });
    expect(boot.text).not.toContain("Earlier windows");
  });
});

it.each([
  "",
  "nonsense",
  "null",
  "3",
  "{}",
  '{"kind":"call","tool":"rm","session":{}}',
  '{"kind":"other","session":{}}',
])("a request that is none is answered with a failure: %s", async (body) => {
  expect((await answer(body)).kind).toBe("failure");
});
