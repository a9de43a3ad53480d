/** How often it is looked whether the host is still there, in milliseconds. */
const EVERY_MS = 500;

/**
 * Ends this process with the host that has started it, however that ends: killed, it tells nobody,
 * and the child has another parent then.
 */
export function endWithHost(): void {
  const host = process.ppid;
  setInterval(() => {
    if (process.ppid !== host || !isAlive(host)) process.exit(0);
  }, EVERY_MS).unref();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
  // The host has closed its end of the pipe.
  process.stdout.on("error", () => process.exit(0));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
