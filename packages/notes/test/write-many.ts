// Writes notes of its own: home, name and number of notes are its arguments.
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

const [home = "", name = "", count = "0"] = process.argv.slice(2);
const store = createNotesStore(identityIn(home));
await Promise.all(
  Array.from({ length: Number(count) }, (_, index) => store.write(`@project/${name}-${index}`, `${name} ${index}`)),
);
