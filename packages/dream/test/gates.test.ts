import { describe, expect, it } from "vitest";
import { closedGate, type GateFacts } from "../src/gates.ts";

const NOW = Date.parse("2026-12-01T12:00:00.000Z");
const HOUR = 3_600_000;
const open: GateFacts = { changedNotes: 5, sessions: 0, lastTime: NOW - 20 * HOUR, blocking: 0 };

describe("the gates", () => {
  it.each<[string, Partial<GateFacts>]>([
    ["5 notes have changed", {}],
    ["3 sessions were held, though no note has changed", { changedNotes: 0, sessions: 3 }],
    ["there was never a dream", { lastTime: undefined }],
    ["the last dream is dated after now, for the clock was set back", { lastTime: NOW + HOUR }],
  ])("are open where %s", (_where, facts) => {
    expect(closedGate({ ...open, ...facts }, NOW)).toBeUndefined();
  });

  it.each<[string, Partial<GateFacts>, string]>([
    ["too little has changed", { changedNotes: 4, sessions: 2 }, "4 of 5 notes, 2 of 3 sessions"],
    ["nothing was ever written", { changedNotes: 0, lastTime: undefined }, "0 of 5 notes, 0 of 3 sessions"],
    ["too little time has passed", { lastTime: NOW - 20 * HOUR + 1 }, "1 hour is left"],
    ["hardly any time has passed", { lastTime: NOW }, "20 hours are left"],
    ["the store is not healthy", { blocking: 1 }, "1 finding stands in the way"],
  ])("are closed where %s, and say how far it is", (_where, facts, said) => {
    expect(closedGate({ ...open, ...facts }, NOW)).toContain(said);
  });
});
