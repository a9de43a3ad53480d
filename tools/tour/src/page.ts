import { styleText } from "node:util";

const LABEL_WIDTH = 10;
const WIDTH = 78;

/** What the tour prints, to follow as one reads. In colour on a terminal, plain elsewhere. */
export const page = {
  heading(text: string): void {
    line("");
    line(styleText("bold", `── ${text} ${"─".repeat(Math.max(2, WIDTH - text.length - 4))}`));
  },

  /** One thing that somebody said or did; further lines of it are set below its first. */
  step(who: keyof typeof COLOURS, text: string): void {
    const label = styleText(COLOURS[who], who.padEnd(LABEL_WIDTH));
    const [first = "", ...rest] = text.trimEnd().split("\n");
    line(`${label}${first}`);
    for (const further of rest) line(further === "" ? "" : `${" ".repeat(LABEL_WIDTH)}${further}`);
  },

  text(text: string): void {
    line(text);
  },
};

const COLOURS = {
  you: "cyan",
  agent: "green",
  calls: "yellow",
  result: "magenta",
  diff: "gray",
  notesoup: "blue",
  window: "red",
} as const;

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}
