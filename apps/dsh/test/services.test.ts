import { afterEach, describe, expect, it, vi } from "vitest";
import { withServices } from "../src/services.ts";

type Context = Parameters<typeof withServices>[1];

/** A host that has loaded all of its rows, with some services. */
function hostWith(...services: readonly string[]): { readonly ctx: Context; readonly injected: string[][] } {
  const injected: string[][] = [];
  const has = new Set(["loader", ...services]);
  const ctx = {
    inject: (needed: string[]) => injected.push(needed),
    get: (name: string) => (has.has(name) ? { await: () => Promise.resolve() } : undefined),
  };
  return { ctx: ctx as unknown as Context, injected };
}

describe("a part of a row that needs services", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is left to the host, which runs it when they are there, and nothing is said", async () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { ctx, injected } = hostWith("tools", "sessions");
    await withServices("a row", ctx, ["tools", "sessions"], () => {});
    expect(injected).toEqual([["tools", "sessions"]]);
    expect(written).not.toHaveBeenCalled();
  });

  it("says once which are missing when all is loaded, and the way on", async () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { ctx } = hostWith("tools");
    await withServices("a row", ctx, ["tools", "sessions", "agents"], () => {});
    await withServices("a row", ctx, ["tools", "sessions", "agents"], () => {});
    expect(written.mock.calls).toEqual([
      [
        "notesoup: row a row: idle: the host has no service sessions, agents; enable the rows that provide it, or disable this one\n",
      ],
    ]);
  });
});
