import { asList, asObject, asText, asTime, type JsonObject, jsonText } from "../src/json.ts";
import type { NestedCalls, SessionHeader, Wire, WireItem, WireReading, WireRecord } from "../src/wire/wire.ts";

/**
 * The plainest format that says all that a record can say: a record is a list of items, and what the
 * host's formats know beside them. Rules of events are told in it, and not in one host's words.
 *
 * `on` names the branch of a record; without it, a record is on all of them. A branch is active by
 * its name, that of the last record of a file.
 */
export const plainWire: Wire = { harness: "pi", begin: () => new PlainReading(), items: itemsOf };

class PlainReading implements WireReading {
  readonly #branches: (string | undefined)[] = [];
  header: SessionHeader = {};

  take(taken: JsonObject): WireRecord {
    this.#branches.push(asText(taken["on"]));
    if (taken["begin"] !== undefined) this.header = asObject(taken["begin"]) ?? {};
    return {
      items: itemsOf(taken).map((item) => (taken["again"] === true ? undefined : item)),
      startsWindow: taken["window"] === true,
      endsTurn: taken["ends"] === true,
      isCopy: taken["copy"] === true,
    };
  }

  branch(head?: string | null): (record: number) => boolean {
    const active = head ?? this.#branches.findLast((branch) => branch !== undefined);
    return (number) => this.#branches[number] === undefined || this.#branches[number] === active;
  }
}

function itemsOf({ items }: JsonObject): WireItem[] {
  return asList(items).map((value) => itemOf(asObject(value) ?? {}));
}

function itemOf(item: JsonObject): WireItem {
  const time = asTime(item["time"]);
  const id = asText(item["id"]) ?? "";
  const tool = asText(item["tool"]) ?? "bash";
  switch (item["is"]) {
    case "call":
      return { kind: "call", time, callId: id, tool, args: () => jsonText(item["args"]) };
    case "result":
      return {
        kind: "result",
        time,
        callId: id,
        tool: asText(item["tool"]),
        isError: item["error"] === true,
        outputTruncated: item["cut"] === true,
        fullOutputPath: asText(item["path"]),
        output: () => asText(item["output"]) ?? "",
        nested: nestedOf(item["nested"]),
      };
    case "nested":
      return {
        kind: "nested",
        callId: id,
        isEnd: item["end"] === true,
        call: { id: "", name: "read", status: "unfinished", ...asObject(item["call"]) },
      };
    default:
      return {
        kind: "message",
        role: item["is"] === "user" || item["is"] === "context" ? item["is"] : "assistant",
        time,
        group: asText(item["group"]),
        text: () => asText(item["text"]) ?? "",
      };
  }
}

function nestedOf(value: unknown): NestedCalls | undefined {
  return value === undefined ? undefined : { ...(value as NestedCalls), calls: () => (value as { all: never }).all };
}

/** A record of these items. */
export function record(items: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { type: "record", ...more, items };
}

export const user = (text: string, more: JsonObject = {}): JsonObject => record([{ is: "user", text, ...more }]);
export const assistant = (text: string, more: JsonObject = {}): JsonObject =>
  record([{ is: "assistant", text, ...more }]);
export const context = (text: string, more: JsonObject = {}): JsonObject => record([{ is: "context", text, ...more }]);
export const call = (id: string, more: JsonObject = {}): JsonObject => ({ is: "call", id, args: {}, ...more });
export const result = (id: string, output: string, more: JsonObject = {}): JsonObject => ({
  is: "result",
  id,
  output,
  ...more,
});
