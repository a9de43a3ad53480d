import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// The command in a few files, with our packages and what they use: a shell waits for each start, and
// hundreds of small modules take several times as long to load. The library is not bundled.
export default defineConfig({
  // npm makes it a program when it installs the package; in a clone it was linked before it was built.
  plugins: [
    {
      name: "program",
      closeBundle: () => chmodSync(fileURLToPath(new URL("dist/command/main.js", import.meta.url)), 0o755),
    },
  ],
  ssr: {
    noExternal: true,
    external: ["commander"],
    resolve: { conditions: ["@notesoup/source", "module", "node"] },
  },
  build: {
    ssr: "src/command/main.ts",
    outDir: "dist/command",
    emptyOutDir: true,
    target: "node22",
    minify: false,
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    rolldownOptions: { output: { entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js" } },
  },
});
