export type { Answer, ImageBlock, Issued } from "./answer.ts";
export { failureText, openIde } from "./ide.ts";
export type { CallOptions, Ide, IdeOptions } from "./ide.ts";
export type { IdeLimits } from "./limits.ts";
export { runFormatters } from "./post-edit.ts";
export type { Formatter, PostEdit, PostEditFile, PostEditOutcome } from "./post-edit.ts";
export type { Scope, ScopeMode, ScopeReport } from "./scope.ts";
export type { IdeToolName } from "./schemas.ts";
