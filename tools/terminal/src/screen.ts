import headless from "@xterm/headless";

/** A part of a line that looks the same throughout. */
export interface Run {
  readonly text: string;
  readonly isBold: boolean;
  /** One of the sixteen colours of a terminal; `undefined` is its own. */
  readonly colour: number | undefined;
}

/** What stands in the lines of a terminal at the end: without what was overwritten, and broken where the terminal breaks. */
export async function screenOf(output: string, columns: number): Promise<readonly (readonly Run[])[]> {
  const terminal = new headless.Terminal({ cols: columns, rows: 1000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.cursorY + 1 }, (_, row) => runsOf(active.getLine(row)));
  terminal.dispose();
  return lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

type Line = ReturnType<headless.Terminal["buffer"]["active"]["getLine"]>;

function runsOf(line: Line): readonly Run[] {
  const length = line?.translateToString(true).length ?? 0;
  const runs: Run[] = [];
  for (let column = 0; column < length; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const run = {
      text: cell.getChars() || " ",
      isBold: cell.isBold() !== 0,
      colour: cell.isFgPalette() ? cell.getFgColor() : undefined,
    };
    const last = runs.at(-1);
    if (last !== undefined && last.isBold === run.isBold && last.colour === run.colour)
      runs[runs.length - 1] = { ...last, text: last.text + run.text };
    else runs.push(run);
  }
  return runs;
}
