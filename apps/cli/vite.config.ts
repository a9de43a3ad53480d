import { defineConfig } from "vite";

// The command in a few files, with our packages and what they use: a shell waits for each start, and
// hundreds of small modules take several times as long to load. The library is not bundled.
export default defineConfig({
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
