import { expectTypeOf, it } from "vitest";
import type {
  HistoryEvent,
  HistoryEventRow,
  HistoryExpand,
  HistoryFoldedRow,
  HistoryListArguments,
  HistoryListResult,
  HistoryNeighborhood,
  HistoryPage,
  HistoryReadResult,
} from "../src/index.ts";

it("types each recipe as a part of a call of history_list", () => {
  expectTypeOf<HistoryNeighborhood>().toExtend<HistoryListArguments>();
  expectTypeOf<HistoryExpand>().toExtend<HistoryListArguments>();
  expectTypeOf<HistoryPage>().toExtend<HistoryListArguments>();
});

it("types rows so that one field tells them apart", () => {
  expectTypeOf<HistoryListResult["items"][number]>().toEqualTypeOf<HistoryEventRow | HistoryFoldedRow>();
  expectTypeOf<HistoryFoldedRow["folded"]["tools"]>().toEqualTypeOf<Record<string, number>>();
});

it("types an event alike in a row and in a read", () => {
  expectTypeOf<HistoryEventRow>().toExtend<HistoryEvent>();
  expectTypeOf<HistoryReadResult>().toExtend<HistoryEvent>();
});
