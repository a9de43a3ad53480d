import { type ChatRequest, lastToolText, type Step, textOf } from "@notesoup/scripted-model";

/** A line at a prompt of the recording. */
export interface Line {
  readonly command: string;
  readonly remark?: string;
  /** What the scripted model does where the line starts an agent. */
  readonly steps?: readonly Step<ChatRequest>[];
}

const ADDRESS = "@project/decisions.md";

const DECISION = `# Decisions

- Notes are plain markdown files.
  Why: people can read, edit and diff them without any tool.
`;

/** What is recorded: two sessions of an agent that share no window, and what a person sees of them from a shell. */
export const STORY: readonly Line[] = [
  {
    command: 'pi -p "We keep notes as plain markdown, so that people can edit them. Remember that."',
    steps: [
      { toolCalls: [{ name: "notes_write", args: { address: ADDRESS, content: DECISION, origin: "user" } }] },
      "Noted for this project, with the reason.",
    ],
  },
  {
    command: 'pi -p "How do we keep notes here, and why?"',
    remark: "a new session: an empty window",
    steps: [read, answer],
  },
  { command: `notesoup notes read ${ADDRESS}`, remark: "what the agent wrote, from a shell" },
  { command: `notesoup notes update ${ADDRESS} --old "any tool" --new "tools of ours"` },
  { command: 'notesoup history search "people can edit"', remark: "every session of every agent" },
];

/** The new session knows of the note from the text with which its window begins, and from nothing else. */
function read({ messages }: ChatRequest): Step<ChatRequest> {
  const text = messages.map(textOf).join("\n");
  if (text.includes("Remember that.")) throw new Error("The first session is still in the window.");
  if (!text.includes(`- ${ADDRESS} · `)) throw new Error(`The note is not named in the boot:\n${text}`);
  return { toolCalls: [{ name: "notes_read", args: { address: ADDRESS } }] };
}

/** Says what the note said, so that the answer is wrong if the note did not come through. */
function answer(request: ChatRequest): string {
  const note = lastToolText(request) ?? "";
  const { how, why } = /^- Notes are (?<how>.*)\.\n {2}Why: (?<why>.*)\.$/mu.exec(note)?.groups ?? {};
  if (how === undefined || why === undefined) throw new Error(`The note does not hold the decision:\n${note}`);
  return `As ${how}: ${why}.`;
}
