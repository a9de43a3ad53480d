import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("plays sessions of which the later ones know what the first wrote, and says where the files are", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--conditions=@notesoup/source", main], {
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(stderr).toBe("");
  const steps = [
    /^notesoup in a real Pi \d+\.\d+\.\d+\./u,
    /^── Session 1/mu,
    /^calls {5}notes_write \{$/mu,
    /^result {4}created @project\/decisions\.md · \d+ bytes$/mu,
    /^── Session 2/mu,
    /^calls {5}notes_search \{$/mu,
    /^calls {5}notes_read \{$/mu,
    /^result {4}@project\/decisions\.md$/mu,
    /^agent {5}From @project\/decisions\.md: Notes are plain markdown files, one store for every host\. The reason given: a person can read/mu,
    /^── Session 3/mu,
    /^result {4}error: no_match: edit 0 of @project\/decisions\.md matches nothing: /mu,
    /^result {4}updated @project\/decisions\.md · 1 edit$/mu,
    /^ {10}\+\d+ - Notes are plain markdown files, one store for every host and for scripts\.$/mu,
    /^calls {5}notes_list \{$/mu,
    /^── Session 4/mu,
    /^calls {5}bash \{$/mu,
    /^── Session 5/mu,
    /^calls {5}history_list \{$/mu,
    /^result {4}session pi:\S+ \| seq \d+ \| /mu,
    /^calls {5}history_read \{$/mu,
    /^ {10}\[truncated; continue at offset_chars=\d+\]$/mu,
    /^agent {5}It was a shell loop over 900 acceptance cases, in an earlier session, and case 777 failed\./mu,
    /^── Session 6/mu,
    /^notesoup {2}Tokens left in this context window: /mu,
    /^calls {5}empty_brain \{\}$/mu,
    /^window {4}The context was emptied at the request of the agent; /mu,
    /^notesoup {2}# Your memory, as of /mu,
    /^result {4}handover\.md$/mu,
    /^result {4}seq \d+ \| tool \| \S+ \| bash ok · match at /mu,
    /^agent {5}Case 777 fails: it expects a README, and there is none \(seen at seq \d+, in the window before this one\)\./mu,
    /^── On disk/mu,
    /^\/.*\/notes\/project\/.*\/decisions\.md$/mu,
    /^pi install \/.*apps\/pi$/mu,
  ];
  const places = steps.map((step) => stdout.search(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const file = /^\/.*\/decisions\.md$/mu.exec(stdout)?.[0] ?? "";
  expect(readFileSync(file, "utf8")).toContain("Notes are plain markdown files");
});
