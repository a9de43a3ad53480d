import { createNotesStore, projectKey } from "@notesoup/notes";
import { machineCorpus } from "./history/corpus.ts";
import { type IdentityFlags, identityOf, ownGlob } from "./notes/identity.ts";

/** For which word values are looked for: how it begins, and what stands before it. */
interface Wanted {
  readonly word: string;
  readonly flags: IdentityFlags;
  readonly command: string;
}

/** Finds what can stand for an argument or an option. What does not begin like the word is left out by who asks. */
type Values = (wanted: Wanted) => Promise<readonly string[]>;

/** By the group of a command, and the name of the argument or option. */
const VALUES: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  notes: {
    address: addresses,
    from: addresses,
    to: addresses,
    session: (wanted) => owners("@sessions/", wanted),
    agent: (wanted) => owners("@agents/", wanted),
    model: (wanted) => owners("@models/", wanted),
  },
  history: { session: sessions },
};

/** What finds the values of an argument or an option; `undefined` where they are not known. */
export function valuesOf(group: string, name: string): Values | undefined {
  return VALUES[group]?.[name];
}

/** Addresses of notes: of one's own notebooks, and of another's where the word begins with the name of one. */
async function addresses({ word, flags, command }: Wanted): Promise<readonly string[]> {
  const isAnothers = /^@(?:projects|sessions|agents|models)\//u.test(word);
  return addressesBy(isAnothers ? "**" : ownGlob(flags), flags, command === "uncrumple");
}

/** The sessions, agents or models that have a notebook. */
async function owners(prefix: string, { flags: { home } }: Wanted): Promise<readonly string[]> {
  const found = await addressesBy("**", home === undefined ? {} : { home }, false);
  const names = found.filter((address) => address.startsWith(prefix)).map((address) => address.split("/")[1] ?? "");
  return [...new Set(names)];
}

async function addressesBy(glob: string, { cwd, ...flags }: IdentityFlags, crumpled: boolean): Promise<string[]> {
  const identity = identityOf(flags);
  const store = createNotesStore(cwd === undefined ? identity : { ...identity, projectKey: projectKey(cwd) });
  const rows = await store.list({ glob, crumpled });
  return rows.map(({ address }) => address);
}

/** The names of sessions; their ids, where the word begins like one. */
async function sessions({ word }: Wanted): Promise<readonly string[]> {
  const found = await machineCorpus().sessions();
  const names = found.map(({ name }) => name);
  return names.some((name) => name.startsWith(word)) ? names : found.map(({ id }) => id);
}
