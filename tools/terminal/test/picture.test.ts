import { expect, it } from "vitest";
import { pictureOf, type Recording } from "../src/picture.ts";

const plain = { isBold: false, colour: undefined };

function recording(command: string, lines: Recording["steps"][number]["lines"]): Recording {
  return { title: "A title", columns: 20, steps: [{ command, remark: "", lines }] };
}

it("draws each run at the column and in the look that it has on a terminal", () => {
  const svg = pictureOf(
    recording("ls", [
      [
        { ...plain, text: "ab" },
        { text: "é😀", isBold: true, colour: 1 },
        { ...plain, text: "c" },
      ],
    ]),
  );
  expect(svg).toContain('<tspan x="20.0" textLength="16.8" lengthAdjust="spacingAndGlyphs">ab</tspan>');
  expect(svg).toContain('<tspan x="36.8" textLength="16.8" lengthAdjust="spacingAndGlyphs" class="bold" style="fill:#');
  expect(svg).toContain('<tspan x="53.6" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</tspan>');
});

it("shows what was printed as text, whatever that is, and nothing from elsewhere", () => {
  const svg = pictureOf(recording('echo "<b>&amp;"', [[{ ...plain, text: "</svg><script>" }]]));
  expect(svg).toContain("echo &quot;&lt;b&gt;&amp;amp;&quot;");
  expect(svg).toContain("&lt;/svg&gt;&lt;script&gt;");
  expect(svg.match(/https?:[^"]*/gu)).toEqual(["http://www.w3.org/2000/svg"]);
});

it("lets one step appear behind the other, and all at once where movement is not wanted", () => {
  const { steps } = recording("one", [[{ ...plain, text: "1" }]]);
  const svg = pictureOf({ title: "t", columns: 20, steps: [...steps, ...steps] });
  expect(svg.match(/animation-delay:[\d.]+s/gu)).toEqual(
    [0, 1.2, 3, 4.2].map((at) => `animation-delay:${at.toFixed(1)}s`),
  );
  expect(svg).toContain("@media (prefers-reduced-motion: reduce) { g { animation: none; } }");
});
