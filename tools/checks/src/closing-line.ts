import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** What a run came to. */
interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * A reporter that ends a run with one plain line, `N passed, N failed, N skipped`, counted from
 * what Vitest itself reports, type tests included. Beside failed tests, everything counts as failed
 * that keeps the run from being a success: a file that does not load, a hook that throws, an error
 * that nobody handled, a test that never came to an end.
 *
 * The line and the exit status never disagree: a run that ends with an error and has counted none
 * (no test was found, say) is one failure, and a run with a failure ends with 1.
 */
export default class ClosingLine implements Reporter {
  readonly #tally: Tally = { passed: 0, failed: 0, skipped: 0 };

  onInit(): void {
    // At the exit, and not at the end of the run: other reporters still print their summaries then.
    process.on("exit", (status) => {
      const tally = this.#tally;
      if (status !== 0 && tally.failed === 0) tally.failed = 1;
      if (status === 0 && tally.failed > 0) process.exitCode = 1;
      process.stdout.write(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tally = this.#tally;
    tally.failed += unhandledErrors.length;
    for (const module of modules) {
      tally.failed += module.errors().length;
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") tally.passed += 1;
        else if (state === "skipped") tally.skipped += 1;
        else tally.failed += 1;
      }
    }
  }
}
