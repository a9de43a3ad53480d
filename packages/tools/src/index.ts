export type { Answer, Decorate } from "./answer.ts";
export { notesToolContext } from "./notes/context.ts";
export type { NotesToolContext } from "./notes/context.ts";
export { notesRead } from "./notes/read.ts";
export { notesWrite } from "./notes/write.ts";
export { notebookSessionId } from "./notebook-session-id.ts";
