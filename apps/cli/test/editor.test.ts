import { expect, it } from "vitest";
import { editorOf } from "../src/command/notes/editor.ts";

it("is $VISUAL before $EDITOR, and an empty one is none", () => {
  expect(editorOf({ VISUAL: "code --wait", EDITOR: "vi" })).toBe("code --wait");
  expect(editorOf({ VISUAL: " ", EDITOR: "vi" })).toBe("vi");
  expect(editorOf({})).toBeUndefined();
});
