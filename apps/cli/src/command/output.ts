import { styleText } from "node:util";
import { oneLine, printable } from "@notesoup/text";

/** Prints a text. What a note or a session holds must not steer a terminal; into a pipe or a file it goes as it is. */
export function say(text: string): void {
  const shown = process.stdout.isTTY ? printable(text) : text;
  process.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
}

/** Prints a value for a program, on one line. On a terminal what could steer it is escaped, as JSON may be. */
export function sayJson(value: unknown): void {
  const json = JSON.stringify(value);
  process.stdout.write(`${process.stdout.isTTY ? oneLine(json) : json}\n`);
}

/** Says on standard error, in one line, what was refused and why. */
export function complain(code: string, message: string): void {
  process.stderr.write(`${styled("red", "error:", process.stderr)} ${code}: ${oneLine(message)}\n`);
}

/** Text in a style, on a terminal that wants it. NO_COLOR goes before FORCE_COLOR. */
export function styled(style: "red" | "bold", text: string, stream: NodeJS.WriteStream): string {
  const isPlain = (process.env["NO_COLOR"] ?? "") !== "";
  return isPlain ? text : styleText(style, text, { stream });
}

/** Prints a text with nothing added: what goes into a pipe or a file is the text itself. */
export function sayExactly(text: string): void {
  process.stdout.write(process.stdout.isTTY ? printable(text) : text);
}
