import { expect, it } from "vitest";
import { HELPER_OFFERS } from "../src/module/tool-offers.ts";
import { HISTORY_TOOLS, NOTES_TOOLS } from "../src/transport/request.ts";

it("the model is offered what the helper does, from the first request on", () => {
  expect(HELPER_OFFERS.map(({ name }) => name)).toEqual([...NOTES_TOOLS, ...HISTORY_TOOLS]);
  expect(HELPER_OFFERS.map(({ isDeferred }) => isDeferred)).not.toContain(true);
});

it("an offer is plain JSON, as it stands in the bundle", () => {
  expect(JSON.parse(JSON.stringify(HELPER_OFFERS))).toEqual(HELPER_OFFERS);
});

it("no parameter has a name that the host keeps for itself", () => {
  const kept = ["tool", "tool_use_id", "agentId", "requestMeta", "consent"];
  const names = HELPER_OFFERS.flatMap(({ inputSchema }) =>
    Object.keys((inputSchema as { readonly properties: object }).properties),
  );
  expect(names.filter((name) => kept.includes(name))).toEqual([]);
});

it("a description is no longer than the host takes", () => {
  expect(HELPER_OFFERS.filter(({ description }) => description.length > 4096)).toEqual([]);
});
