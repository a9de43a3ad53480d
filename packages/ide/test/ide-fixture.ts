import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "@notesoup/ide-registry";
import { temporaryFolder } from "@notesoup/testing";
import {
  type CallOptions,
  failureText,
  type Ide,
  type IdeOptions,
  type IdeToolName,
  type Issued,
  openIde,
} from "../src/index.ts";

/** The tools of a session on files in a folder of the running test's own. */
export interface Desk {
  readonly root: string;
  readonly ide: Ide;
  path: (name: string) => string;
  write: (name: string, content: string | Uint8Array) => void;
  /** What a file holds; `undefined` for none. */
  text: (name: string) => string | undefined;
  call: (tool: IdeToolName, args: unknown, options?: CallOptions) => Promise<Issued>;
  /** As scripts have it: the text of the answer. */
  say: (tool: IdeToolName, args: unknown, options?: CallOptions) => Promise<string>;
  /** The code with which a call refuses, and never without one next step. */
  refusal: (tool: IdeToolName, args: unknown, options?: CallOptions) => Promise<string>;
}

/** Opens the tools on these files. */
export async function desk(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Omit<IdeOptions, "owner"> = {},
): Promise<Desk> {
  const root = await temporaryFolder();
  const ide = openIde({ owner: { session: "s1", root }, ...options });
  const path = (name: string): string => join(root, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const call: Desk["call"] = (tool, args, how) => ide.call(tool, args, how);
  return {
    root,
    ide,
    path,
    write,
    text: (name) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
    call,
    say: async (tool, args, how) => (await call(tool, args, how)).text,
    refusal: async (tool, args, how) => {
      try {
        await call(tool, args, how);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        requireOneStep(error, root);
        return error.code;
      }
      return "no refusal";
    },
  };
}

/** A refusal is one line, ends with its next step, and tells no path of the machine. */
function requireOneStep(error: Refusal, root: string): void {
  const [line = ""] = failureText(error).split("\n");
  if (!line.startsWith(`error: ${error.code}: `)) throw new Error(`no code: ${line}`);
  if (error.next === "" || !error.message.endsWith(`; ${error.next}`)) throw new Error(`no next step: ${line}`);
  if (error.message.includes("\n")) throw new Error(`more than a line: ${line}`);
  if (line.includes(root) || line.includes("/tmp/")) throw new Error(`a path of the machine: ${line}`);
}

/** What follows the label. */
export function bodyOf(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

/** The label. */
export function labelOf(text: string): string {
  return text.slice(0, text.indexOf("\n"));
}
