import { complain } from "./output.ts";

/**
 * Who reads our output may stop when enough has come, as `head` does: then we end, and nothing has
 * failed. Output that cannot be written otherwise, to a full disk for instance, is a failure.
 */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      if (stream !== process.stderr) complain("io", error.message);
      process.exitCode = 1;
    }
    process.exit();
  });
}
