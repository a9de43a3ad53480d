export { notebookLoader } from "./notebook-loader.ts";
export type {
  BootMap,
  BootNote,
  NotebookContent,
  NotebookLoader,
  ReadyNotebook,
  UnreadableNotebook,
} from "./notebook.ts";
export { renderBoot } from "./render-boot.ts";
export type { BootTools, RenderBootOptions } from "./render-boot.ts";
export { takeBootSnapshot } from "./snapshot.ts";
export type { BootIdentity, BootRequest, BootSession, BootSnapshot } from "./snapshot.ts";
