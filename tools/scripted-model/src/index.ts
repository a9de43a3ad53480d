export { contextExceeded, isTitleRequest, startDeepseekModel } from "./deepseek.ts";
export type { AnswerContext, Dialect } from "./dialect.ts";
export { overloaded, promptTooLong, startMessagesModel } from "./messages.ts";
export {
  lastPrompt,
  lastToolResults,
  offeredTools,
  systemMessages,
  systemPrompt,
  textsIn,
} from "./messages-request.ts";
export type { ContentBlock, Message, MessagesRequest, ToolResult } from "./messages-request.ts";
export { lastToolText, lastUserText, textOf, toolNames } from "./openai-request.ts";
export type { ChatMessage, ChatRequest } from "./openai-request.ts";
export type { Problem, ProblemCode } from "./problem.ts";
export type {
  Answer,
  AnswerStep,
  ErrorStep,
  Finish,
  FunctionStep,
  HangStep,
  Lane,
  Step,
  StepState,
  ToolCall,
  Usage,
} from "./script.ts";
export { startModelOf, startScriptedModel } from "./server.ts";
export type { ScriptedModel, ScriptedModelOptions } from "./server.ts";
