import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installDsh } from "@notesoup/host-dsh";
import { expect, it } from "vitest";

const APP = fileURLToPath(new URL("..", import.meta.url));
const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

it("the rows compile against the types of the next version of dsh, as far as it is published", async () => {
  await installDsh();
  const compile = (...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [TSC, "-p", "tsconfig.next.json", ...args], { cwd: APP });
  const { stdout } = await compile("--listFiles");
  for (const name of ["agent", "llm", "session"]) {
    expect(stdout).toContain(`/dsh-${name}-next/lib/types/index.d.ts`);
    expect(stdout).not.toContain(`/@deepseek-ai/dsh-${name}/lib/types/index.d.ts`);
  }
});
