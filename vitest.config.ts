import { defineConfig } from "vitest/config";

// Packages resolve to their sources, so that unit tests need no build. It is `ssr.resolve` that
// Vitest reads for Node, and `extends: true` that carries it into each project.
export default defineConfig({
  ssr: { resolve: { conditions: ["@notesoup/source", "module", "node", "development|production"] } },
  test: {
    // Much of the time is waiting for children and disks: a worker a core, the runner's own included.
    maxWorkers: 2,
    // A bound that only ends what hangs: no test is about time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // Loading everything anew for each file takes a third of the time. What a test has changed of
          // what others use is put back.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          include: [
            "packages/*/test/**/*.test.ts",
            "apps/*/test/**/*.test.ts",
            "tools/*/test/**/*.test.ts",
            "tools/hosts/*/test/**/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "tsconfig.types.json",
          },
        },
      },
      { extends: true, test: { name: "checks", include: ["tools/checks/test/**/*.check.ts"], testTimeout: 300_000 } },
      {
        extends: true,
        test: {
          name: "e2e",
          include: [
            "packages/*/test/**/*.e2e.ts",
            "tools/*/test/**/*.e2e.ts",
            "tools/hosts/*/test/**/*.e2e.ts",
            "apps/*/test/**/*.e2e.ts",
            "examples/*/test/**/*.e2e.ts",
          ],
          testTimeout: 120_000,
        },
      },
    ],
  },
});
