export { jsonBytes, utf8Bytes } from "./bytes.ts";
export { countCodePoints, unitIndexAfter } from "./code-points.ts";
export { largestFitting } from "./largest-fitting.ts";
export { oneLine, printable, quote } from "./one-line.ts";
export { fitWindow } from "./window.ts";
export type { TextWindow, WindowBudget, WindowRequest } from "./window.ts";
