import { lastToolText, type ChatRequest, type Step } from "@notesoup/scripted-model";

/** One session of the tour: what the person says, and what the scripted model does about it. */
export interface Chapter {
  readonly title: string;
  readonly prompt: string;
  readonly steps: readonly Step<ChatRequest>[];
}

const ADDRESS = "@project/decisions.md";

const DECISION = `# Decisions

- Notes are plain markdown files, one store for every host.
  Why: a person can read, edit and diff them without any tool of ours.
`;

/** The tour, a session a chapter. The model is scripted; what it learns in the second it has from the note alone. */
export const STORY: readonly Chapter[] = [
  {
    title: "Session 1: something is decided",
    prompt:
      "We keep notes as plain markdown files, so that people can edit them without tools. Please remember that for this project.",
    steps: [
      { toolCalls: [{ name: "notes_write", args: { address: ADDRESS, content: DECISION, origin: "user" } }] },
      "Noted for this project, with the reason. Another session will find it.",
    ],
  },
  {
    title: "Session 2: a new Pi, with an empty context window",
    prompt: "How do we store notes, and why?",
    steps: [{ toolCalls: [{ name: "notes_read", args: { address: ADDRESS } }] }, answerFromNote],
  },
];

/** Says what the note said, so that the answer is wrong if the note did not come through. */
function answerFromNote(request: ChatRequest): string {
  const note = lastToolText(request) ?? "";
  const decision = /^- (?<decision>.*)$/mu.exec(note)?.groups?.["decision"];
  const reason = /^ {2}Why: (?<reason>.*)$/mu.exec(note)?.groups?.["reason"];
  if (decision === undefined || reason === undefined) throw new Error(`The note does not hold the decision:\n${note}`);
  return `From ${ADDRESS}: ${decision} The reason given: ${reason}`;
}
