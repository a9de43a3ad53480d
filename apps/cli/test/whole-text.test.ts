import type { Answer } from "@notesoup/tools";
import { describe, expect, it } from "vitest";
import { Refused } from "../src/command/refused.ts";
import { wholeText } from "../src/command/notes/whole-text.ts";

interface Part {
  readonly text: string;
  readonly total_chars: number;
  readonly next_offset_chars: number | null;
}

function success(data: Part): Answer<Part> {
  return { outcome: { ok: true, data }, text: `part of ${data.text}` };
}

/** Delivers three characters at a time. */
function reader(text: string): (offset?: number) => Promise<Answer<Part>> {
  return (offset = 0) => {
    const end = offset + 3;
    const next = end < text.length ? end : null;
    return Promise.resolve(
      success({ text: text.slice(offset, end), total_chars: text.length, next_offset_chars: next }),
    );
  };
}

const render = ({ text }: Part): string => `all of ${text}`;

describe("wholeText", () => {
  it("is the operation's own answer where that is whole", async () => {
    expect((await wholeText(reader("abc"), render, () => true)).text).toBe("part of abc");
  });

  it("joins the parts to one result, and renders that", async () => {
    expect(await wholeText(reader("abcdefgh"), render, () => true)).toEqual({
      outcome: { ok: true, data: { text: "abcdefgh", total_chars: 8, next_offset_chars: null } },
      text: "all of abcdefgh",
    });
  });

  it("refuses where the text changed between two parts", async () => {
    const changed = new Refused("changed", "the text changed while it was read; read it again");
    await expect(wholeText(reader("abcdefgh"), render, () => false)).rejects.toEqual(changed);
    const [before, after] = [reader("abcdefgh"), reader("abcdefg")];
    const read = (offset?: number): Promise<Answer<Part>> => (offset === undefined ? before() : after(offset));
    await expect(wholeText(read, render, () => true)).rejects.toEqual(changed);
  });

  it("passes a refusal on, also of a later part", async () => {
    const refusal: Answer<Part> = { outcome: { ok: false, error: { code: "not_found", message: "" } }, text: "no" };
    const read = (offset?: number): Promise<Answer<Part>> =>
      offset === undefined ? reader("abcdefgh")() : Promise.resolve(refusal);
    expect(await wholeText(read, render, () => true)).toBe(refusal);
    expect(
      await wholeText(
        () => Promise.resolve(refusal),
        render,
        () => true,
      ),
    ).toBe(refusal);
  });
});
