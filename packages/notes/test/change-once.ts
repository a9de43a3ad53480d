// Changes one note once: the home and the kind of change are its arguments.
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

const [home = "", change = ""] = process.argv.slice(2);
const store = createNotesStore(identityIn(home));
if (change === "write") await store.write("@project/a", "new");
if (change === "update") await store.update("@project/a", [{ oldText: "old", newText: "new" }]);
if (change === "rename") await store.rename("@project/a", "@human/b");
