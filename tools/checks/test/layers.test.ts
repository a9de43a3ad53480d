import { describe, expect, it } from "vitest";
import { mayImport } from "../src/layers.ts";

describe("the table of layers", () => {
  it("has no row for a folder that nobody has placed", () => {
    expect(() => mayImport("packages/strange")).toThrow("packages/strange is not in the table of layers");
  });

  it("lets a foundation import nothing, and an app any package but no app", () => {
    expect(mayImport("packages/text")).toEqual([]);
    expect(mayImport("apps/pi")).toContain("packages/dream");
    expect(mayImport("apps/pi").filter((folder) => folder.startsWith("apps/"))).toEqual([]);
  });

  it("opens the maintenance of the notes to the dream alone", () => {
    expect(mayImport("packages/dream")).toContain("packages/notes/maintenance");
    expect(mayImport("packages/tools")).not.toContain("packages/notes/maintenance");
    expect(mayImport("apps/cli")).not.toContain("packages/notes/maintenance");
  });
});
