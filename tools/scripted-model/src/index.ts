export type { AnswerContext, Dialect } from "./dialect.ts";
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
