import { installPi } from "./install.ts";

try {
  const { version, root } = await installPi();
  process.stdout.write(`Pi ${version} is installed in ${root}\n`);
} catch (error) {
  process.stderr.write(`Pi could not be installed. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
