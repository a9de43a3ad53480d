import type { Run } from "./screen.ts";

/** What was done at a prompt, and what came of it. */
export interface Step {
  readonly command: string;
  /** What stands behind the command, for whoever looks; nothing if empty. */
  readonly remark: string;
  readonly lines: readonly (readonly Run[])[];
}

/** The recording, as it is drawn. */
export interface Recording {
  readonly title: string;
  readonly columns: number;
  readonly steps: readonly Step[];
}

const COLUMN = 8.4;
const LINE = 20;
const MARGIN = 20;
const BAR = 36;

/** When a step begins to be shown, and its output behind it, in seconds. */
const STEP_SECONDS = 3;
const OUTPUT_SECONDS = 1.2;

/** The sixteen colours of a terminal on a dark ground. */
const COLOURS = [
  "#6e7681",
  "#ff7b72",
  "#7ee787",
  "#e3b341",
  "#79c0ff",
  "#d2a8ff",
  "#56d4dd",
  "#c9d1d9",
  "#8b949e",
  "#ffa198",
  "#aff5b4",
  "#f2cc60",
  "#a5d6ff",
  "#e2c5ff",
  "#b3f0ff",
  "#ffffff",
];
const GROUND = "#0d1117";
const TEXT = "#c9d1d9";

/**
 * An SVG of a recording: the steps appear one after the other, once, and stay; all at once for who
 * wants no movement. The same recording gives the same bytes.
 */
export function pictureOf({ title, columns, steps }: Recording): string {
  const rows = steps.reduce((sum, { lines }) => sum + lines.length + 2, -1);
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = BAR + rows * LINE + 2 * MARGIN;
  const parts: string[] = [];
  let row = 0;
  for (const [index, step] of steps.entries()) {
    const seconds = index * STEP_SECONDS;
    parts.push(appearing(seconds, [lineAt(row, promptRuns(step))]));
    row++;
    parts.push(
      appearing(
        seconds + OUTPUT_SECONDS,
        step.lines.map((runs, below) => lineAt(row + below, runs)),
      ),
    );
    row += step.lines.length + 1;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; fill: ${TEXT}; white-space: pre; }
.bold { font-weight: 700; }
g { animation: appear 0.3s ease-out both; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { g { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
${["#ff5f56", "#ffbd2e", "#27c93f"].map((colour, index) => `<circle cx="${MARGIN + index * 20}" cy="20" r="6" fill="${colour}"/>`).join("\n")}
${parts.join("\n")}
</svg>
`;
}

/** A command at its prompt, and the remark. */
function promptRuns({ command, remark }: Step): readonly Run[] {
  const plain = { isBold: false, colour: undefined };
  return [
    { ...plain, text: "$ ", colour: 2 },
    { ...plain, text: command, isBold: true },
    ...(remark === "" ? [] : [{ ...plain, text: `  # ${remark}`, colour: 8 }]),
  ];
}

function appearing(seconds: number, lines: readonly string[]): string {
  return `<g style="animation-delay:${seconds.toFixed(1)}s">\n${lines.join("\n")}\n</g>`;
}

/** Each run has the width that it has on a terminal, whichever font is found. */
function lineAt(row: number, runs: readonly Run[]): string {
  const y = BAR + MARGIN + row * LINE + LINE * 0.7;
  let column = 0;
  const spans = runs.map(({ text, isBold, colour }) => {
    const length = Array.from(text).length;
    const x = MARGIN + column * COLUMN;
    column += length;
    const look = [
      isBold ? ' class="bold"' : "",
      colour === undefined ? "" : ` style="fill:${COLOURS[colour] ?? TEXT}"`,
    ];
    const width = `textLength="${(length * COLUMN).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
    return `<tspan x="${x.toFixed(1)}" ${width}${look.join("")}>${escaped(text)}</tspan>`;
  });
  return `<text xml:space="preserve" y="${y.toFixed(1)}">${spans.join("")}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
