import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, it } from "vitest";
import { UsageMeter } from "../src/budget/usage.ts";
import { registerCommands } from "../src/commands.ts";

type Command = Parameters<ExtensionAPI["registerCommand"]>[1];

it("/notesoup is completed with the words that it knows", async () => {
  const commands = new Map<string, Command>();
  const pi = {
    registerCommand: (name: string, command: Command) => void commands.set(name, command),
  } as unknown as ExtensionAPI;
  registerCommands(pi, new UsageMeter(pi), () => {});
  const complete = async (prefix: string): Promise<unknown> =>
    (await commands.get("notesoup")?.getArgumentCompletions?.(prefix))?.map(({ value }) => value);
  expect(await complete("")).toEqual(["on", "off", "status"]);
  expect(await complete("o")).toEqual(["on", "off"]);
  expect(await complete("sta")).toEqual(["status"]);
  expect(await complete("x")).toEqual([]);
});
