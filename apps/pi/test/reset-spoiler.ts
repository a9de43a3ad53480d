import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/**
 * An extension that is at fault: as often as it is told to, it puts an entry to a boundary that Pi
 * cannot take, for which Pi throws all of the boundary away.
 */
export default function resetSpoiler(pi: ExtensionAPI): void {
  let left = 0;

  pi.registerCommand("spoil", {
    description: "Spoils so many boundaries from here on.",
    handler: async (args) => {
      left = Number(args);
    },
  });

  pi.on("turn_end", ({ entries }) => {
    if (left === 0 || !entries.some(({ type }) => type === "compaction")) return undefined;
    left--;
    return { entries: [...entries, { type: "context_edit", targetId: "nobody", replacement: null }] };
  });
}
