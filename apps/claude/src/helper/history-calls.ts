import { historyListTool, historyReadTool } from "@notesoup/protocol";
import { historyList, historyRead } from "@notesoup/tools";
import type { HistoryTool } from "../transport/request.ts";
import { type Call, checkedCall } from "./checked-call.ts";
import { historyOf } from "./history.ts";

/** The calls of the history tools. */
export const HISTORY_CALLS: Readonly<Record<HistoryTool, Call>> = {
  history_list: checkedCall(historyListTool, historyOf, historyList),
  history_read: checkedCall(historyReadTool, historyOf, historyRead),
};
