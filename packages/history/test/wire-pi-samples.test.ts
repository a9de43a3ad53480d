import { describe, expect, it } from "vitest";
import { piWire } from "../src/wire/pi.ts";
import { entry, recordsOf, SAMPLES, take, told, toldItem, wholeText } from "./wire-pi-fixture.ts";

describe("the items of a session", () => {
  it("are a tree's prompts, words, calls, results, commands of a person and summaries, on whatever branch", () => {
    expect(told(recordsOf("session-tree-bash-branch-compaction"))).toEqual([
      '4 user: "Do the tools"',
      String.raw`5 assistant: "[reasoning]\nlet me think about it\n\n[answ"`,
      String.raw`5 call_1 calls bash "{\"command\":\"seq 1 5000\"}"`,
      String.raw`5 call_2 calls read "{\"path\":\"missing.txt\"}"`,
      String.raw`5 call_3 calls edit "{\"path\":\"a.txt\",\"edits\":[{\"oldText\":\"bet"`,
      String.raw`5 call_4 calls read "{\"path\":\"big.txt\"}"`,
      String.raw`5 call_5 calls nosuchtool "{\"a\":1}"`,
      String.raw`5 call_6 calls bash "{\"cmd\":1}"`,
      String.raw`6 call_1 gives "3001\n3002\n3003\n3004\n3005\n3006\n3007\n3008\n"`,
      `7 call_2 fails "ENOENT: no such file or directory, acces"`,
      '8 call_3 gives "Successfully replaced 1 block(s) in a.tx"',
      String.raw`9 call_4 gives "line 0\nline 1\nline 2\nline 3\nline 4\nline "`,
      '10 call_5 fails "Tool nosuchtool not found"',
      String.raw`11 call_6 fails "Validation failed for tool \"bash\":\n  - c"`,
      '12 assistant: "First answer."',
      String.raw`14 context: "[lab-state]\n{\"count\":42,\"a\":\"hello\"}"`,
      '15 context: "injected context"',
      String.raw`17 bashExecution/e98f3586 calls bash "{\"command\":\"seq 1 4000\"}"`,
      String.raw`17 bashExecution/e98f3586 gives "2001\n2002\n2003\n2004\n2005\n2006\n2007\n2008\n"`,
      String.raw`18 bashExecution/cfd72041 calls bash "{\"command\":\"echo secret; exit 2\"}"`,
      String.raw`18 bashExecution/cfd72041 fails "secret\n"`,
      '19 user: "second prompt"',
      '20 assistant: "Second answer on branch one."',
      String.raw`21 context: "[branch summary]\nThe user explored a dif"`,
      '23 user: "third prompt"',
      '24 assistant: "Third answer on branch two."',
      String.raw`25 context: "[compaction]\nNo prior history.\n\n---\n\n**T"`,
      '26 user: "after compaction"',
      String.raw`27 call_7 calls codemode "{\"code\":\"const a = await tools.bash({com"`,
      String.raw`28 call_7 gives "Script completed\nWall time 1.2 seconds\nO"`,
      '29 assistant: "Answer after compaction."',
      '30 user: "error please"',
      String.raw`31 assistant: "[error: 400: {\"message\":\"bad request scr"`,
      '32 user: "recover"',
      '33 assistant: "Recovered."',
    ]);
  });

  it("are parallel calls of one message, each with its result, and the state that an extension keeps", () => {
    expect(told(recordsOf("session-codemode-nested"))).toEqual([
      '4 user: "go"',
      String.raw`5 call_1 calls codemode "{\"code\":\"\\nconst out = {};\\nconst j = as"`,
      String.raw`6 context: "[codemode-store]\n{\"set\":{\"k\":{\"a\":1}},\"d"`,
      String.raw`7 call_1 gives "Script completed\nWall time 1.2 seconds\nO"`,
      String.raw`8 call_2 calls st_ok "{\"n\":3}"`,
      '8 call_3 calls st_refuse "{}"',
      '8 call_4 calls plain_err "{}"',
      '8 call_5 calls st_throw "{}"',
      '8 call_6 calls orch "{}"',
      '9 call_2 gives "TEXT n=3"',
      '10 call_3 fails "error: not_found: nope"',
      '11 call_4 fails "plain failure text"',
      '12 call_5 fails "boom-throw"',
      String.raw`13 call_6 gives "{\"tools\":[\"read\",\"bash\",\"edit\",\"write\",\""`,
      String.raw`14 call_7 calls codemode "{\"code\":\"text(load('k')); store('k', und"`,
      String.raw`15 call_7 fails "Script failed\nWall time 0.5 seconds\nOutp"`,
      String.raw`16 call_8 calls codemode "{\"code\":\"const r=[]; for (let i=0;i<300;"`,
      String.raw`17 call_8 gives "Script completed\nWall time 0.5 seconds\nO"`,
      '18 assistant: "all done"',
    ]);
  });

  it("are of what is said and done, not of models, labels, names and what the model is sent of the past", () => {
    expect(told(recordsOf("session-images-models-labels"))).toEqual([
      String.raw`5 user: "look\n[image: image/png, 70 bytes]"`,
      String.raw`6 call_1 calls read "{\"path\":\"p.png\"}"`,
      String.raw`7 call_1 gives "Read image file [image/png]\n[image: imag"`,
      '8 assistant: "saw image"',
      '11 user: "think"',
      String.raw`12 assistant: "[reasoning]\nhmm\n\n[answer]\nthought"`,
      '15 user: "long one"',
      '16 assistant: "cut off"',
    ]);
  });

  it("are the marker, the summary and the boot of a reset", () => {
    expect(told(recordsOf("session-reset-boundary"))).toEqual([
      '4 user: "go"',
      '5 call_1 calls get_context_remaining "{}"',
      '6 call_1 gives "126576"',
      String.raw`7 call_2 calls bash "{\"command\":\"echo a\"}"`,
      String.raw`7 call_3 calls empty_brain "{\"note\":\"N1\"}"`,
      String.raw`7 call_4 calls bash "{\"command\":\"echo b\"}"`,
      String.raw`8 call_2 gives "a\n"`,
      '9 call_3 gives "reset armed"',
      String.raw`10 call_4 gives "b\n"`,
      String.raw`11 context: "[lab-reset-mark]\n{\"n\":0}"`,
      String.raw`12 context: "[compaction]\nRESET SUMMARY #1"`,
      '13 context: "BOOT MESSAGE #1 note=N1"',
      '14 call_5 calls get_context_remaining "{}"',
      '15 call_5 gives "126525"',
      '16 assistant: "after reset"',
      '17 user: "again"',
      '18 assistant: "resumed answer"',
    ]);
  });

  it.each(SAMPLES)("are the same by themselves as in the reading: %s", (sample) => {
    const records = recordsOf(sample);
    expect(take(records).records.map(({ items }) => items.map((item) => item && toldItem(item)))).toEqual(
      records.map((record) => piWire.items(record).map(toldItem)),
    );
  });

  it.each(SAMPLES)("never hold the data of an image: %s", (sample) => {
    const texts = recordsOf(sample).flatMap((record) => piWire.items(record).map(wholeText));
    expect(texts.filter((whole) => whole.includes("iVBORw0KGgo"))).toEqual([]);
  });

  it("have the time of their entry, which is when it was appended, even where a clock has jumped back", () => {
    const times = take([
      entry({ role: "user", content: "a", timestamp: 5 }, { timestamp: "2026-11-30T17:00:00.250Z" }),
      entry({ role: "user", content: "b", timestamp: 5 }, { timestamp: "2001-01-01T00:00:00.000+01:00" }),
      entry({ role: "user", content: "c", timestamp: 5 }, { timestamp: "yesterday" }),
      entry({ role: "user", content: "d", timestamp: 1e300 }, { timestamp: null }),
    ]).records.map(({ items }) => items[0]?.kind === "message" && items[0].time);
    expect(times).toEqual([Date.UTC(2026, 10, 30, 17, 0, 0, 250), Date.UTC(2000, 11, 31, 23), 5, null]);
  });
});
