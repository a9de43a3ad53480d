import type { Argument, Command, Option } from "commander";
import type { IdentityFlags } from "./notes/identity.ts";
import { valuesOf } from "./values.ts";

/** Where the cursor is: behind which command, and what the words between say. */
interface Place {
  readonly command: Command;
  /** How many arguments the command has before the cursor. */
  readonly arguments: number;
  /** The option whose value the cursor is at. */
  readonly option: Option | undefined;
  /** Behind `--` nothing is an option any more. */
  readonly isBehindDashes: boolean;
  readonly flags: Readonly<Record<string, string>>;
}

/**
 * What can stand where the last word is and begins like it; nothing where that is a text or a file.
 *
 * @param words those behind the name of the program, the last one up to the cursor
 */
export async function candidates(program: Command, words: readonly string[]): Promise<readonly string[]> {
  const word = words.at(-1) ?? "";
  const place = placeOf(program, words.slice(0, -1));
  const values = await offered(place, word);
  const isOption = place.option === undefined && !place.isBehindDashes && (word.startsWith("-") || values.length === 0);
  return [...values, ...(isOption ? optionsOf(place.command) : [])].filter((each) => each.startsWith(word));
}

function placeOf(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, arguments: 0, option: undefined, isBehindDashes: false, flags: {} };
  for (const word of words) place = behind(place, word);
  return place;
}

function behind(place: Place, word: string): Place {
  const { command, option, flags } = place;
  if (option !== undefined) return { ...place, option: undefined, flags: { ...flags, [option.attributeName()]: word } };
  if (!place.isBehindDashes) {
    if (word === "--") return { ...place, isBehindDashes: true };
    if (word.startsWith("-")) return behindOption(place, word);
    const below = command.commands.find((each) => each.name() === word);
    if (below !== undefined) return { ...place, command: below };
  }
  return { ...place, arguments: place.arguments + 1 };
}

function behindOption(place: Place, word: string): Place {
  const [flag, value] = word.split(/=(.*)/su, 2);
  const option = place.command.options.find(({ long, short }) => flag === long || flag === short);
  if (option?.required !== true) return place;
  if (value === undefined) return { ...place, option };
  return { ...place, flags: { ...place.flags, [option.attributeName()]: value } };
}

async function offered({ command, arguments: before, option, flags }: Place, word: string): Promise<readonly string[]> {
  if (option !== undefined) return option.argChoices ?? named(command, option, flags, word);
  if (command.commands.length > 0)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((each) => each.name());
  const argument = command.registeredArguments[before] ?? command.registeredArguments.find(({ variadic }) => variadic);
  return argument === undefined ? [] : (argument.argChoices ?? named(command, argument, flags, word));
}

/** The values of an argument or an option, by its name in its group of commands. */
function named(
  command: Command,
  given: Argument | Option,
  flags: IdentityFlags,
  word: string,
): Promise<readonly string[]> | readonly string[] {
  return valuesOf(command.parent?.name() ?? "", given.name())?.({ word, flags, command: command.name() }) ?? [];
}

function optionsOf(command: Command): readonly string[] {
  return [...command.options.flatMap(({ long }) => (long === undefined ? [] : [long])), "--help"];
}
