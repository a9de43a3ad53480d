import { watch } from "node:fs/promises";
import { type DshSandbox, readSessionLogs } from "@notesoup/host-dsh";

/** Waits until a call of a tool stands in a log on disk: it runs, or has run. */
export async function logged(sandbox: DshSandbox, tool: string): Promise<void> {
  const watching = new AbortController();
  const changes = watch(sandbox.dshHome, { recursive: true, signal: watching.signal });
  // The watch begins with the first look, so that nothing is missed between the two.
  const first = changes[Symbol.asyncIterator]();
  let next = first.next();
  while (!(await isLogged(sandbox, tool))) {
    await next;
    next = first.next();
  }
  next.catch(() => {});
  watching.abort();
}

async function isLogged(sandbox: DshSandbox, tool: string): Promise<boolean> {
  // A batch may be written only in part yet.
  const logs = await readSessionLogs(sandbox).catch(() => []);
  return logs.some(({ events }) => events.some(({ type, data }) => type === "tool/call" && data?.["name"] === tool));
}
