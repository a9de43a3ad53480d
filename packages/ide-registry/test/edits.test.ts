import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, Refusal, span, type TextEdit } from "../src/index.ts";

const edit = (start: number, end: number, text: string): TextEdit => ({ ...span(start, end), text });

/** The same by hand: unit for unit, what is put before it, and then itself unless it gives way. */
function byHand(base: string, edits: readonly TextEdit[]): string {
  let text = "";
  for (let at = 0; at <= base.length; at++) {
    for (const { start, end, text: put } of edits) if (start === at && end === at) text += put;
    for (const { start, end, text: put } of edits) if (start === at && end > at) text += put;
    if (!edits.some(({ start, end }) => start <= at && at < end)) text += base[at] ?? "";
  }
  return text;
}

/** Edits that get in nobody's way: ranges between cuts of the text, some of them positions. */
const disjoint = fc
  .tuple(
    fc.stringMatching(/^[a-f]{0,60}$/u),
    fc.array(fc.tuple(fc.nat(60), fc.string({ maxLength: 4 }), fc.boolean()), { maxLength: 12 }),
  )
  .map(([base, cuts]) => {
    const places = cuts
      .map(([at, text, isPosition]) => ({ at: Math.min(at, base.length), text, isPosition }))
      .toSorted((one, other) => one.at - other.at);
    const edits = places.map(({ at, text, isPosition }, index) =>
      edit(at, isPosition ? at : (places[index + 1]?.at ?? base.length), text),
    );
    return { base, edits };
  });

describe("edits of one text", () => {
  it("stand where they were meant, whatever the others add or take", () => {
    fc.assert(
      fc.property(disjoint, ({ base, edits }) => {
        const { text, after } = applyEdits(base, edits);
        expect(text).toBe(byHand(base, edits));
        expect(after.map(({ start, end }) => text.slice(start, end))).toEqual(edits.map((one) => one.text));
      }),
    );
  });

  it("come to the same in any order of ranges that are apart", () => {
    fc.assert(
      fc.property(
        disjoint.chain(({ base, edits }) => {
          const apart = edits.filter(({ start }, index) => edits.findIndex((one) => one.start === start) === index);
          return fc.tuple(
            fc.constant(base),
            fc.constant(apart),
            fc.shuffledSubarray(apart, { minLength: apart.length }),
          );
        }),
        ([base, edits, shuffled]) => {
          expect(applyEdits(base, shuffled).text).toBe(applyEdits(base, edits).text);
        },
      ),
    );
  });

  it("keep the order of insertions at one place, before what replaces the units after it", () => {
    expect(applyEdits("abcdef", [edit(3, 3, "1"), edit(3, 3, "2")]).text).toBe("abc12def");
    expect(applyEdits("abcdef", [edit(0, 3, "X"), edit(3, 3, "1")]).text).toBe("X1def");
    expect(applyEdits("abcdef", [edit(3, 6, "X"), edit(3, 3, "1")]).text).toBe("abc1X");
  });

  it("refuse to touch one another", () => {
    const refusal = expect.objectContaining({ code: "overlap" });
    expect(() => applyEdits("abcdefgh", [edit(0, 5, ""), edit(3, 8, "")])).toThrow(refusal);
    expect(() => applyEdits("abcdefgh", [edit(3, 8, ""), edit(5, 5, "x")])).toThrow(refusal);
    expect(applyEdits("abcdefgh", [edit(0, 3, ""), edit(3, 6, "")]).text).toBe("gh");
  });

  it("take their text as it is", () => {
    expect(applyEdits("x", [edit(0, 1, "$& $1 $$ \\1")]).text).toBe("$& $1 $$ \\1");
    expect(() => applyEdits("a\r\nb", [edit(2, 2, "x")])).toThrow(Refusal);
  });
});
