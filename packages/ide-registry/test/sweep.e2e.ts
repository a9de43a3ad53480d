import { describe, expect, it } from "vitest";
import { span } from "../src/index.ts";
import { worktree } from "./registry-fixture.ts";

describe("a sweep", () => {
  it("of 500 files retires those of the one that changed (10,000 results)", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `f${index}`);
    const { store, results, owner, root, write, issue } = await worktree(
      Object.fromEntries(names.map((name) => [name, name])),
    );
    const issued = [];
    for (const name of names) {
      const { snapshot, text } = await store.capture(name, root);
      for (let count = 0; count < 20; count++) {
        const handle = store.hold(owner, [{ snapshot, text, spans: [span(0, 1)] }], { complete: true });
        issued.push({ name, handle, id: issue(text, handle).id });
      }
    }
    write("f7", "changed");
    expect(await store.observe()).toHaveLength(1);
    expect(results.size).toBe(10_000);
    for (const { name, handle, id } of issued) {
      expect(results.resolve(id, owner)).toMatchObject({ handle });
      expect(store.state(handle)).toBe(name === "f7" ? "retired" : "live");
    }
  });
});
