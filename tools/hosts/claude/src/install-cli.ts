import { installClaude } from "./install.ts";

try {
  const { version, binary } = await installClaude();
  process.stdout.write(`Claude Code ${version} is installed as ${binary}\n`);
} catch (error) {
  process.stderr.write(
    `Claude Code could not be installed. ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
