import { HistoryError } from "@notesoup/history";
import { NoteError } from "@notesoup/notes";
import type { RefusalCode } from "@notesoup/protocol";
import { type Answer, refuse } from "./answer.ts";

/** A refusal of the operations' own, on its way to the answer. */
export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}

/** Runs an operation; an expected failure, the store's, the history's or the operation's, becomes the answer. */
export async function answering<Success extends Answer<unknown>>(
  operation: () => Promise<Success>,
): Promise<Success | Answer<never>> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof NoteError || error instanceof HistoryError || error instanceof Refused)
      return refuse(error.code, error.message);
    throw error;
  }
}
