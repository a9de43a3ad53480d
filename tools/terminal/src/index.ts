export { openTerminal } from "./terminal.ts";
export type { Terminal, TerminalEnd, TerminalOptions } from "./terminal.ts";
