import { oneLine } from "@notesoup/text";
import { type DoctorFinding, finding } from "./finding.ts";

/** What tells a note that was moved from the one that it was. */
export interface RenameTraits {
  readonly address: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Stands for the body. */
  readonly body: string;
}

/**
 * Pairs of which one was left by a move that wrote the destination and died before it removed the
 * source: they were created in one moment, say the same, and only one was updated by the move.
 */
export function halfRenamed(notes: readonly RenameTraits[]): readonly DoctorFinding[] {
  const groups = Map.groupBy(notes, ({ createdAt, body }) => `${createdAt} ${body}`);
  return [...groups.values()].flatMap((group) => {
    const [newest, ...older] = group.toSorted((a, b) => (a.updatedAt > b.updatedAt ? -1 : 1));
    return older
      .filter(({ updatedAt }) => updatedAt !== newest?.updatedAt)
      .map(({ address }) =>
        finding(
          "half_renamed",
          oneLine(address),
          `it seems to have been moved to ${oneLine(newest?.address ?? "")}, and was not removed; crumple one of the two`,
        ),
      );
  });
}
