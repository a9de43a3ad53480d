import { copyFile } from "node:fs/promises";
import { defineConfig, type Plugin } from "vite";

const ROWS = ["index", "engine"];

// Our packages and theirs in a few files, with what both rows share. What the host supplies stays
// outside: with copies of its packages, it would not know our errors and messages again.
export default defineConfig({
  plugins: [declarations()],
  ssr: {
    noExternal: true,
    external: [],
    resolve: { conditions: ["@notesoup/source", "module", "node"] },
  },
  build: {
    ssr: true,
    outDir: "dist",
    target: "node22",
    minify: false,
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    rolldownOptions: {
      external: /^@deepseek-ai\//u,
      input: Object.fromEntries(ROWS.map((row) => [row, `src/${row}.ts`])),
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

/** The types of the rows, which are made before the bundle is, and name nothing of the host. */
function declarations(): Plugin {
  return {
    name: "declarations",
    async writeBundle({ dir = "dist" }) {
      await Promise.all(ROWS.map((row) => copyFile(`out-tsc/build/${row}.d.ts`, `${dir}/${row}.d.ts`)));
    },
  };
}
