import { HistoryError } from "./error.ts";

/**
 * Does something with a session, and once more where its file was found changed: that is read anew
 * then. The work opens the session itself.
 */
export async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HistoryError) || error.code !== "session_unreadable") throw error;
    return work();
  }
}
