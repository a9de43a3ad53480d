import { setImmediate } from "node:timers/promises";

/**
 * Does work that must not stay half done. Ctrl-C is heard when it is done; pressed again, it ends the
 * process at once, for somebody who has waited too long.
 */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  let isAsked = false;
  const remember = (): void => {
    isAsked = true;
    process.off("SIGINT", remember);
  };
  process.on("SIGINT", remember);
  try {
    return await work();
  } finally {
    // A signal that came while the work kept the event loop busy is told of now.
    await setImmediate();
    process.off("SIGINT", remember);
    if (isAsked) process.kill(process.pid, "SIGINT");
  }
}

/** Does work that Ctrl-C may end, after some cleaning up. */
export async function interruptible<Result>(cleanUp: () => void, work: () => Promise<Result>): Promise<Result> {
  const end = (): void => {
    process.off("SIGINT", end);
    cleanUp();
    // As if nobody had listened, so that a shell sees how the process ended.
    process.kill(process.pid, "SIGINT");
  };
  process.on("SIGINT", end);
  try {
    return await work();
  } finally {
    process.off("SIGINT", end);
    cleanUp();
  }
}
