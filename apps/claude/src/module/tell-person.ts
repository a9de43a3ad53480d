import type { Host } from "./host.ts";

/** Shows a person a line in the conversation. The model does not read it. */
export function tellPerson($: Host, text: string): void {
  $.ui.log(text);
}
