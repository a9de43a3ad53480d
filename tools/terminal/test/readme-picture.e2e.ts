import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { README_PICTURE, recordReadmePicture } from "../src/readme-picture.ts";

it("the picture of the README shows what Pi and the command print: where it does not, npm run record makes it anew", async () => {
  expect(await recordReadmePicture()).toBe(await readFile(README_PICTURE, "utf8"));
});
