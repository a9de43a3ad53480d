// Writes one note whole, with a large body, again and again: home, name and number of times are its arguments.
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

const [home = "", name = "", count = "0"] = process.argv.slice(2);
const store = createNotesStore(identityIn(home));
for (let index = 0; index < Number(count); index++)
  await store.write("@project/a", `${name} ${index}\n`.repeat(20_000));
