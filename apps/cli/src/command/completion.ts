import { Argument, type Command } from "commander";
import { withExample } from "./example.ts";
import { say } from "./output.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that can complete. */
export type Shell = (typeof SHELLS)[number];

/** `notesoup completion`. */
export function addCompletion(program: Command): void {
  const completion = program
    .command("completion")
    .description("print a script that makes a shell complete commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
bash: add the example to ~/.bashrc
zsh:  add source <(notesoup completion zsh) to ~/.zshrc, below compinit
fish: notesoup completion fish > ~/.config/fish/completions/notesoup.fish`,
    )
    .action((shell: Shell) => say(completionScript(program, shell)));
  withExample(completion, "source <(notesoup completion bash)");
}

/** What can stand behind a command: `path` is it and its parents, such as `notesoup notes list`. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** The script for a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, program.name());
  return shell === "fish" ? fishScript(places) : shell === "zsh" ? zshScript(places) : bashScript(places);
}

function placesOf(command: Command, path: string): Place[] {
  const subcommands = command.commands.map((subcommand) => subcommand.name());
  const options = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]));
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [
    { path, words: [...subcommands, ...choices, ...options, "--help"] },
    ...command.commands.flatMap((subcommand) => placesOf(subcommand, `${path} ${subcommand.name()}`)),
  ];
}

/** Walks the words before the cursor down the commands: both shells read these lines. */
function walk(places: readonly Place[], words: string): string {
  const commands = places.slice(1).map(({ path }) => `"${path}"`);
  return `  local place=notesoup word found=
  for word in ${words}; do
    case "$place $word" in
      ${commands.join("|")}) place="$place $word" ;;
    esac
  done
  case "$place" in
${places.map(({ path, words: offered }) => `    "${path}") found="${offered.join(" ")}" ;;`).join("\n")}
  esac`;
}

function bashScript(places: readonly Place[]): string {
  return `# Completion of notesoup for bash.
_notesoup() {
${walk(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _notesoup notesoup`;
}

function zshScript(places: readonly Place[]): string {
  return `#compdef notesoup
# Completion of notesoup for zsh.
_notesoup() {
${walk(places, '"${(@)words[2,CURRENT-1]}"')}
  compadd -- \${=found}
  _files
}
compdef _notesoup notesoup`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const isThere = path
      .split(" ")
      .slice(1)
      .map((word) => `__fish_seen_subcommand_from ${word}`);
    const below = places
      .filter((place) => place.path.startsWith(`${path} `))
      .map((place) => place.path.split(" ").at(-1));
    const isAbove = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${[...new Set(below)].join(" ")}`];
    const condition = [...isThere, ...isAbove].join("; and ");
    // Files are offered only where nothing else can stand but options.
    const noFiles = words.every((word) => word.startsWith("--")) ? "" : " -f";
    return [`complete -c notesoup${noFiles} -n '${condition}' -a '${words.join(" ")}'`];
  });
  return ["# Completion of notesoup for fish.", ...lines].join("\n");
}
