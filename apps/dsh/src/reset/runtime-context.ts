import type { Agent, PreStepDecision } from "@deepseek-ai/dsh-agent";
import { createUserMessage, type UserMessage } from "@deepseek-ai/dsh-llm";

type Session = Agent["session"];

/** The plugin from which the host's own words on sandbox, approvals and the like are. */
const RUNTIME_CONTEXT = "@deepseek-ai/dsh-system-prompt";

/** What the host has told the model of where it runs, as the model sees it now. */
export function runtimeContext(session: Session): UserMessage | undefined {
  for (const seq of session.surface.nodes.toReversed()) {
    const event = session.events[seq];
    if (event?.type === "user/message" && isRuntimeContext(event.data)) return event.data;
  }
  return undefined;
}

/**
 * All that the host has told the model beside what was said: of where it runs, of the workspace's
 * instructions and of skills. Before a step it looks itself which of it the model does not see any
 * more; a step that is tried again has to be given it.
 */
export function hostsWords(session: Session): UserMessage[] {
  const runtime = runtimeContext(session);
  const others = session.surface.nodes.flatMap((seq) => {
    const event = session.events[seq];
    return event?.type === "user/message" && isOfWorkspace(event.data) ? [event.data] : [];
  });
  return runtime === undefined ? others : [...others, runtime];
}

/** The same words again, for a window that has lost them: the host says them once, and again only where they change. */
export function saidAgain({ content, source }: UserMessage): UserMessage {
  return createUserMessage({ content: [...content], source });
}

/**
 * A step's messages with what the host has told before a reset. The host decides what is to be told
 * before it asks us, and does not see what a reset takes away then.
 *
 * @param before what was told when the step began
 */
export function withRuntimeContext(
  decision: Extract<PreStepDecision, { kind: "enter" }>,
  session: Session,
  before: UserMessage | undefined,
): Extract<PreStepDecision, { kind: "enter" }> {
  if (before === undefined || runtimeContext(session) !== undefined) return decision;
  if (decision.messages.some(isRuntimeContext)) return decision;
  return { ...decision, messages: [...decision.messages, saidAgain(before)] };
}

function isRuntimeContext({ source }: UserMessage): boolean {
  return source.kind === "plugin" && source.plugin === RUNTIME_CONTEXT;
}

function isOfWorkspace({ source }: UserMessage): boolean {
  return "form" in source && (source.form === "instructions" || source.form === "catalog");
}
