const said = new Set<string>();

/** Tells a person something about a row, once: on standard error, for no log of the host is seen without a screen. */
export function say(row: string, message: string): void {
  const line = `notesoup: row ${row}: ${message}\n`;
  if (said.has(line)) return;
  said.add(line);
  process.stderr.write(line);
}
