// Appends lines to one note, reading it between: home, name and number of lines are its arguments.
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

const [home = "", name = "", count = "0"] = process.argv.slice(2);
const store = createNotesStore(identityIn(home));
for (let index = 0; index < Number(count); index++) {
  await store.update("@project/a", [{ oldText: "start\n", newText: `start\n${name} ${index}\n` }]);
  await store.read("@project/a");
}
