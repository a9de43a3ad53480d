import { writeFile } from "node:fs/promises";
import { README_PICTURE, recordReadmePicture } from "./readme-picture.ts";

await writeFile(README_PICTURE, await recordReadmePicture());
process.stdout.write(`recorded ${README_PICTURE}\n`);
