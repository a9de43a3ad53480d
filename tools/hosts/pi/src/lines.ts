/**
 * Cuts a stream of text into lines, at LF only: JSON may hold U+2028 and U+2029 unescaped, at
 * which other readers of lines cut too. A CR before the LF goes with it.
 */
export class Lines {
  #rest = "";

  /** The lines that `text` completes. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  /** What has come of a line that is not complete. */
  get rest(): string {
    return this.#rest;
  }
}
