import { HarnessError } from "@deepseek-ai/dsh-llm";

/** A refusal on its way through the host, which keeps its code in the session's log. */
export class NotesoupRefusal extends HarnessError {
  constructor(code: string, message: string) {
    super(message, code);
    this.name = "NotesoupRefusal";
  }
}
