// Writes one note in the home that is its argument.
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

await createNotesStore(identityIn(process.argv[2] ?? "")).write("@project/a", "new");
