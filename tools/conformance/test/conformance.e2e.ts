import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packPackage } from "@notesoup/host-pi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { without } from "../src/differences.ts";
import { type Delivered, type Host, PLAY_MS, type Played } from "../src/host.ts";
import { claude } from "../src/hosts/claude.ts";
import { dsh } from "../src/hosts/dsh.ts";
import { pi } from "../src/hosts/pi.ts";
import { rendered } from "../src/rendered.ts";
import type { Row } from "../src/row.ts";
import { TABLE } from "../src/table.ts";
import { makeWorld, notesIn, type World } from "../src/world.ts";

const HOSTS: readonly Host[] = [pi, claude, dsh];

const WORKSPACE = new URL("../../../", import.meta.url);

/** Before all plays, and for all of them the same. */
const lastActive = Date.now() - 60_000;

let root = "";
const plays = new Map<Host, Played>();
/** The notes that each host has left, but for what may differ in them. */
const stores = new Map<Host, readonly string[]>();
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-conformance-")));
  // One after the other: each finds the world in the same folder, since a project is known by its path.
  for (const host of HOSTS) {
    const app = await packPackage(fileURLToPath(new URL(host.app, WORKSPACE)), join(root, host.app));
    let world: World | undefined;
    const played = await host.play(app, async () => (world = await makeWorld(join(root, "world"), lastActive)), TABLE);
    plays.set(host, played);
    if (world !== undefined) stores.set(host, await storeLeft(world, played));
  }
}, 4 * PLAY_MS);
afterAll(() => rm(root, { recursive: true, force: true }));

async function storeLeft(world: World, played: Played): Promise<string[]> {
  const notes = [...(await notesIn(world))].map(([path, content]) => `${path}\n${content}`);
  const ids = played.sessions.map((name) => name.slice(name.indexOf(":") + 1));
  return notes.map((note) => without(["times", "session"], note, { ...played, sessions: ids })).toSorted();
}

function playOf(host: Host): Played {
  const play = plays.get(host);
  if (play === undefined) throw new Error(`${host.name} has not played.`);
  return play;
}

function deliveredBy(host: Host, index: number): Delivered {
  const delivered = playOf(host).results[index];
  if (delivered === undefined) throw new Error(`${host.name} has no result of row ${index}.`);
  return delivered;
}

/** What a call came to: as the text says, and as the host marks it. */
function outcomeOf({ text, isError }: Delivered): string {
  if (!isError) return "success";
  const code = /^error: (?<code>\w+): [^\n]+$/u.exec(text)?.groups?.["code"];
  return code === undefined || code === "invalid_arguments" ? "host failure" : code;
}

const asText = (value: unknown): string => JSON.stringify(value, null, 1);

const CASES = TABLE.map((row, index) => ({ ...row, index }));

describe.each(HOSTS)("$name", (host) => {
  it.each(CASES)("$tool $does", (row) => {
    const delivered = deliveredBy(host, row.index);
    expect(outcomeOf(delivered), delivered.text).toBe(row.outcome);
    // What a host says of arguments that it does not take is its own.
    if (row.outcome === "host failure") return;

    const [first = host] = HOSTS;
    const comparable = (one: Host, text: string): string => without(row.differs, text, playOf(one));
    const expected = deliveredBy(first, row.index);
    expect(comparable(host, delivered.text)).toBe(comparable(first, expected.text));
    if (delivered.structured === undefined) return;
    expect(comparable(host, asText(delivered.structured))).toBe(comparable(first, asText(expected.structured)));
    expect(comparable(host, rendered(row.tool, delivered.structured as object))).toBe(comparable(host, delivered.text));
  });
});

it.each(HOSTS)("$name leaves the same notes on the disk", (host) => {
  expect(stores.get(pi)?.length).toBeGreaterThan(400);
  expect(stores.get(host)).toEqual(stores.get(pi));
});

it("has the structured result of every call in the hosts that have any", () => {
  const structured = (host: Host, rows: readonly Row[]): number =>
    rows.filter((_, index) => deliveredBy(host, index).structured !== undefined).length;
  const failures = TABLE.filter(({ outcome }) => outcome === "host failure").length;
  const ofCalls = TABLE.filter(({ differs }) => differs.includes("toolNames")).length;
  expect(structured(pi, TABLE)).toBe(TABLE.length - failures);
  expect(structured(claude, TABLE)).toBe(0);
  expect(structured(dsh, TABLE)).toBe(TABLE.length - failures - ofCalls);
});

describe("a declared difference", () => {
  const declared = CASES.flatMap((row) => row.differs.map((difference) => ({ ...row, difference })));

  it.each(declared)("is needed: $difference of $tool $does", ({ index, differs, difference }) => {
    const others = differs.filter((other) => other !== difference);
    const formsOf = (form: (delivered: Delivered) => string | undefined): ReadonlySet<string> =>
      new Set(
        HOSTS.flatMap((host) => {
          const text = form(deliveredBy(host, index));
          return text === undefined ? [] : [without(others, text, playOf(host))];
        }),
      );
    const texts = formsOf(({ text }) => text);
    const results = formsOf(({ structured }) => (structured === undefined ? undefined : asText(structured)));
    expect([texts.size, results.size]).not.toEqual([1, 1]);
  });
});
