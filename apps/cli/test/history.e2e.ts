import { once } from "node:events";
import { readdir, utimes } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const ONE = "01a22d64-b699-720f-bcb7-f9bf943aab73";
const OTHER = "01b22d64-b699-720f-bcb7-f9bf943aab73";

async function withSessions(): Promise<Person> {
  const ana = await newPerson(command.folder());
  await ana.session(ONE, ["Fix the flaky test.", "Thanks."]);
  await ana.session(OTHER, ["Write a README."]);
  return ana;
}

describe.concurrent("history", () => {
  it("sessions: lists all that were found, as lines, names or JSON", async () => {
    const ana = await withSessions();
    const { stdout } = await ana.run("notesoup history sessions");
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^pi:01.22d64\S+ \| 2\S+Z \| \/\S+\.jsonl$/u),
      expect.stringMatching(/^pi:01.22d64/u),
    ]);
    expect((await ana.run("notesoup history sessions --names --harness pi")).stdout.split("\n").toSorted()).toEqual([
      "",
      `pi:${ONE}`,
      `pi:${OTHER}`,
    ]);
    const json = await ana.run("notesoup history sessions --limit 1 --json");
    expect(JSON.parse(json.stdout)).toMatchObject({ sessions: [{ harness: "pi" }], more: 1 });
    expect((await ana.run("notesoup history sessions --harness dsh")).stdout).toBe("no sessions found\n");
  });

  it("sessions: by when they were last active", async () => {
    const ana = await newPerson(command.folder());
    for (const [id, prompt, time] of [
      [ONE, "Old.", "2026-11-01T12:00:00Z"],
      [OTHER, "New.", "2026-11-02T12:00:00Z"],
    ] as const)
      await utimes(await ana.session(id, [prompt]), new Date(time), new Date(time));
    const names = async (flags: string): Promise<string[]> =>
      (await ana.run(`notesoup history sessions --names ${flags}`)).stdout.split("\n").filter((name) => name !== "");
    expect(await names("--since 2026-11-02")).toEqual([`pi:${OTHER}`]);
    expect(await names("--since 2026-11-02T12:00:00Z")).toEqual([`pi:${OTHER}`]);
    expect(await names("--until 2026-11-02T12:00:00Z")).toEqual([`pi:${ONE}`]);
    expect(await names("--since 2026-11-01 --until 2026-11-03")).toEqual([`pi:${OTHER}`, `pi:${ONE}`]);
    expect(await names("--since 2026-12-01")).toEqual([]);
  });

  it("list: an event of each session, or those of one", async () => {
    const ana = await withSessions();
    const all = JSON.parse((await ana.run("notesoup history list --json")).stdout) as { items: { text: string }[] };
    expect(all.items.map(({ text }) => text).toSorted()).toEqual(["Fix the flaky test.", "Write a README."]);
    const one = await ana.run("notesoup history list --session 01a22d --from oldest --limit 1");
    expect(one.stdout).toContain("Fix the flaky test.");
    expect(one.stdout).toContain("newer: history_list");
    const rest = await ana.run("notesoup history list --session 01a22d --after 0 --before 9 --json");
    expect(JSON.parse(rest.stdout)).toMatchObject({ session: `pi:${ONE}`, items: [{ text: "Thanks." }] });
    expect((await ana.run("notesoup history list --until 2026-11-30T12:00:00Z")).stdout).toBe("no events found\n");
    expect((await ana.run("notesoup history list --role assistant --role tool")).stdout).toBe("no events found\n");
  });

  it("search: looks through all sessions, and finding nothing is no failure", async () => {
    const ana = await withSessions();
    const found = await ana.run('notesoup history search "FLAKY test" --since 2026-11-30 --json');
    expect(JSON.parse(found.stdout)).toMatchObject({ items: [{ session: `pi:${ONE}`, match_offset_chars: 8 }] });
    expect(await ana.run("notesoup history search nothing")).toMatchObject({
      code: 0,
      stdout: "no events found\n",
      stderr: "",
    });
  });

  it("read: prints an event to its end, or a part of it", async () => {
    const ana = await newPerson(command.folder());
    const long = "0123456789".repeat(20_000);
    await ana.session(ONE, [long]);
    const whole = await ana.run("notesoup history read 01a22d 0 --json");
    expect(JSON.parse(whole.stdout)).toMatchObject({ text: long, total_chars: 200_000, next_offset_chars: null });
    expect((await ana.run(`notesoup history read pi:${ONE} 0`)).stdout.endsWith(`\n\n${long}\n`)).toBe(true);
    const part = await ana.run("notesoup history read 01a22d 0 --offset 5 --limit 3 --json");
    expect(JSON.parse(part.stdout)).toMatchObject({ text: "567", next_offset_chars: 8 });
  });

  it.each([
    ["read 01a22d 99", "seq_not_found"],
    ["read nobody 0", "session_not_found"],
    ["list --session 01c", "session_not_found"],
    ["list --since yesterday", "invalid_time"],
    ["sessions --since 2026-02-30", "invalid_time"],
    ["sessions --since 2026-11-02 --until 2026-11-01", "invalid_range"],
    ["search x --limit 0", "invalid_range"],
  ])("%s refuses with %s", async (line, code) => {
    const ana = await withSessions();
    const refused = await ana.run(`notesoup history ${line}`);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(new RegExp(`^error: ${code}: [^\\n]*\\n$`, "u"));
  });

  it("a long search tells how far it is, on a terminal, and Ctrl-C ends it with nothing half done", async () => {
    const ana = await withSessions();
    const preload = fileURLToPath(new URL("stuck-at-sessions.ts", import.meta.url));
    const before = await readdir(ana.home, { recursive: true });
    const child = ana.start("exec notesoup history search flaky", { env: { NODE_OPTIONS: `--import ${preload}` } });
    const ended = once(child, "close");
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (text.includes("searching session 1 of 2")) child.kill("SIGINT");
    });
    expect(await ended).toEqual([null, "SIGINT"]);
    expect([stdout, stderr]).toEqual(["", "\r\u001B[Ksearching session 1 of 2; Ctrl-C stops\r\u001B[K"]);
    expect(await readdir(ana.home, { recursive: true })).toEqual(before);
  });
});
