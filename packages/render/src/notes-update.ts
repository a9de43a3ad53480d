import type { NotesUpdateResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

/** The receipt of an update: exactly one line. What was replaced is not in it. */
export function renderNotesUpdate(result: NotesUpdateResult): string {
  const { address, change } = result;
  return [`${change === "none" ? "unchanged" : "updated"} ${oneLine(address)}`, ...facts(result)].join(" · ");
}

function facts({
  applied,
  change,
  crumpled,
  rename_from: from,
  replaced_crumpled_target,
}: NotesUpdateResult): string[] {
  const said: string[] = [];
  if (applied > 0) said.push(edits(applied, change));
  // A move says by itself that it changed no text.
  if (change === "metadata" && from === undefined) said.push(crumpled ? "metadata" : "metadata · not crumpled");
  if (crumpled) said.push("crumpled");
  if (from !== undefined) said.push(`renamed from ${oneLine(from)}`);
  if (replaced_crumpled_target) said.push("replaced a crumpled note");
  return said;
}

/** Edits whose new text is the old one are applied and change nothing; that is said, for it is seldom meant. */
function edits(applied: number, change: NotesUpdateResult["change"]): string {
  const counted = `${applied} ${applied === 1 ? "edit" : "edits"}`;
  return change === "body" ? counted : `${counted} without effect`;
}
