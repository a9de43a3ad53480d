import type { Agent } from "@deepseek-ai/dsh-agent";
import type { UserMessage } from "@deepseek-ai/dsh-llm";

type Session = Agent["session"];
/** An event of a session's log. */
export type SessionEvent = Session["events"][number];
/** What a message says of where it is from. */
export type MessageSource = UserMessage["source"];

/**
 * What our own messages say of themselves, in their source: the log may hold no event of a type that
 * the host does not know, but a source may say more than the host asks.
 */
export type Marker =
  /** The text with which a window begins. */
  | { readonly what: "boot"; readonly session: string; readonly window: string; readonly by?: ResetBy }
  /** Stands for a boot where there is none: in a subagent, whose window was emptied. */
  | { readonly what: "emptied"; readonly session: string; readonly by: ResetBy }
  /** What is said of the tokens that are left. */
  | { readonly what: "notice"; readonly session: string; readonly fingerprint: string }
  /** Opens the last turn of a window. */
  | {
      readonly what: "close-out";
      readonly session: string;
      readonly by: "person" | "budget";
      readonly fingerprint?: string;
    }
  /** Takes a close-out back. */
  | { readonly what: "withdrawn"; readonly session: string }
  /** Says again what a window was emptied of in the middle of work. */
  | { readonly what: "carried"; readonly session: string; readonly of: number };

/** Who asks for a reset: the model by its tool, a person by a command, the budget at its last line, or the host, which would compact. */
export type ResetBy = "model" | "person" | "budget" | "host";

/** The plugin that messages are from. */
export const PLUGIN = "notesoup";

/** A source that says what its message is. */
export function sourceOf(marker: Marker, form: "snapshot" | "notice" | "relay", summary: string): MessageSource {
  const sections = form === "snapshot" ? { sections: [] } : { summary };
  // The host keeps further fields of a source as they are; its type does not name them.
  return { kind: "plugin", plugin: PLUGIN, form, ...sections, notesoup: marker } as unknown as MessageSource;
}

/** What a message of ours is, whoever's session it stands in; `undefined` for one that is not ours. */
export function markerOf(event: SessionEvent | undefined): Marker | undefined {
  if (event?.type !== "user/message") return undefined;
  const { source } = event.data;
  if (source.kind !== "plugin" || !("notesoup" in source)) return undefined;
  const marker = source.notesoup;
  return typeof marker === "object" && marker !== null && "what" in marker ? (marker as Marker) : undefined;
}
