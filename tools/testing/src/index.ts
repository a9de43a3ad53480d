export { temporaryFolder } from "./temporary-folder.ts";
