import { homedir, userInfo } from "node:os";
import { resolve } from "node:path";

/** The person's home folder, absolute. An empty `HOME` names none: then it is the one that the system has for the user. */
export function personHome(): string {
  return resolve(homedir() || userInfo().homedir);
}
