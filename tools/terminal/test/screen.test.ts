import { expect, it } from "vitest";
import { screenOf } from "../src/screen.ts";

const textsOf = async (output: string, columns = 10): Promise<string[]> =>
  (await screenOf(output, columns)).map((runs) => runs.map(({ text }) => text).join(""));

it("shows what stands at the end: overwritten text is gone, and long lines are broken", async () => {
  expect(await textsOf("searching\r\u001B[Kdone\r\n")).toEqual(["done"]);
  expect(await textsOf("0123456789ab\r\n\r\nc\r\n")).toEqual(["0123456789", "ab", "", "c"]);
});

it("keeps colours and bold, and joins what looks the same", async () => {
  expect(await screenOf("\u001B[31merror:\u001B[39m a \u001B[1mb\u001B[22m", 40)).toEqual([
    [
      { text: "error:", isBold: false, colour: 1 },
      { text: " a ", isBold: false, colour: undefined },
      { text: "b", isBold: true, colour: undefined },
    ],
  ]);
});
