import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "./answer.ts";
import { endWithHost } from "./host-watch.ts";
import { textOf } from "./text-of.ts";

/** Past this, some systems cut a socket's path. */
const SOCKET_PATH_MAX_BYTES = 100;

/**
 * Answers requests on a socket in a folder that only this user can look into, as long as the host
 * lives. Where there can be no socket it ends, and each request has a helper of its own.
 *
 * @param announce tells the host where the socket is
 */
export async function serve(announce: (where: { readonly socket: string }) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "notesoup-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  endWithHost();
  const socket = join(folder, "s");
  if (Buffer.byteLength(socket) > SOCKET_PATH_MAX_BYTES) process.exit(0);
  // An `import` of it asks for all that it has, a web browser's parts among them, which takes as long as all of ours.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((request, response) => {
    void reply(request).then((body) => response.setHeader("content-type", "application/json").end(body));
    // What was loaded for the answer is there for the helper of the next session, however this one ends.
    response.once("close", () => flushCompileCache());
  });
  // A call may take as long as it takes: the host is the one that gives up.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  announce({ socket });
}

async function reply(request: IncomingMessage): Promise<string> {
  return JSON.stringify(await answer(await textOf(request)));
}
