// Loaded before a program: ends the process by SIGKILL as soon as it comes to the step of a file's
// replacement that KILLED_AT names.
import { breakStep, type Step } from "./broken-step.ts";

breakStep(process.env["KILLED_AT"] as Step, (path) => {
  // Only the source of the move, not a lock or a temporary file.
  if (path !== "" && !path.endsWith(".md")) return;
  process.kill(process.pid, "SIGKILL");
  throw new Error("The signal is delivered before this is.");
});
