import type { HistoryErrorCode } from "@notesoup/history";
import type { NoteErrorCode } from "@notesoup/notes";
import type { RefusalCode } from "@notesoup/protocol";
import { expectTypeOf, it } from "vitest";

it("spells every code of the store out in the protocol", () => {
  expectTypeOf<NoteErrorCode>().toExtend<RefusalCode>();
});

it("spells every code of the history out in the protocol", () => {
  expectTypeOf<HistoryErrorCode>().toExtend<RefusalCode>();
});
