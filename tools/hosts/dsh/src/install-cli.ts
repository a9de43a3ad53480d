import { installDsh } from "./install.ts";

try {
  const { version, root } = await installDsh();
  process.stdout.write(`DeepSeek Harness ${version} is installed in ${root}\n`);
} catch (error) {
  process.stderr.write(
    `DeepSeek Harness could not be installed. ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
