export { renderNotesRead } from "./notes-read.ts";
export { renderNotesWrite } from "./notes-write.ts";
export { renderRefusal } from "./refusal.ts";
