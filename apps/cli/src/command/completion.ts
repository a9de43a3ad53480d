import { Argument, type Command } from "commander";
import { withExample } from "./example.ts";
import { say } from "./output.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that can complete. */
type Shell = (typeof SHELLS)[number];

/** `notesoup completion`, and what its scripts ask: `notesoup complete`, which is for them alone. */
export function addCompletion(program: Command): void {
  const completion = program
    .command("completion")
    .description("print a script that makes a shell complete commands, options, addresses and sessions")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
bash: add the example to ~/.bashrc
zsh:  add source <(notesoup completion zsh) to ~/.zshrc, below compinit
fish: notesoup completion fish > ~/.config/fish/completions/notesoup.fish`,
    )
    .action((shell: Shell) => say(SCRIPTS[shell]));
  withExample(completion, "source <(notesoup completion bash)");

  const complete = program
    .command("complete", { hidden: true })
    .description("print what can stand where the last of some words is, a line each")
    .argument("[word...]", "the words behind notesoup")
    .action(async (words: readonly string[]) => {
      const { candidates } = await import("./candidates.ts");
      const found = await candidates(program, words);
      if (found.length > 0) say(found.join("\n"));
    });
  withExample(complete, "notesoup complete -- notes re");
}

// What each script does: it hands the words up to the cursor to `complete`, and offers what comes;
// where nothing does, the shell offers files.
const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash takes a word apart at some marks, of which addresses and sessions have two, and asks for what is
  // behind the last of them, and for the @ itself. So the words are read from the line, and the rest is cut off.
  bash: `# Completion of notesoup for bash.
_notesoup() {
  local line=\${COMP_LINE:0:COMP_POINT} marks=\${COMP_WORDBREAKS//[^@:]/} words word known="" found
  read -ra words <<<"$line"
  if [[ $line == *[[:space:]] ]]; then words+=(""); fi
  word=\${words[\${#words[@]} - 1]}
  if [[ -n $marks && $word == *[$marks]* ]]; then
    known=\${word%"\${word##*[$marks]}"}
    known=\${known%@}
  fi
  COMPREPLY=()
  while IFS= read -r found; do
    COMPREPLY+=("$(printf %q "\${found#"$known"}")")
  done < <("$1" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _notesoup notesoup`,

  zsh: `#compdef notesoup
# Completion of notesoup for zsh.
_notesoup() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ -n $found[1] ]]; then compadd -- $found; else _files; fi
}
if [[ $funcstack[1] == _notesoup ]]; then _notesoup "$@"; else compdef _notesoup notesoup; fi`,

  fish: `# Completion of notesoup for fish.
function __notesoup_complete
  set -l words (commandline -opc)
  set -l program $words[1]
  set -e words[1]
  set -g __notesoup_found ($program complete -- $words (commandline -ct) 2>/dev/null)
  test (count $__notesoup_found) -gt 0
end
complete -c notesoup -n __notesoup_complete -f -a '$__notesoup_found'`,
};
