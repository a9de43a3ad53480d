import { join } from "node:path";

/** The workspace that these tests are a part of. */
export const workspaceRoot = join(import.meta.dirname, "../../..");
