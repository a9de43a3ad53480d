import { defineConfig } from "vite";

// One file that holds our packages and theirs: Pi tries an extension natively first, and a bundle
// leaves it nothing to mix with its own copies. What Pi supplies stays outside.
export default defineConfig({
  ssr: {
    noExternal: true,
    external: ["typebox", "@earendil-works/pi-tui", "@earendil-works/pi-coding-agent"],
    resolve: { conditions: ["@notesoup/source", "module", "node"] },
  },
  build: {
    ssr: "src/index.ts",
    outDir: "dist",
    target: "node22",
    minify: false,
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    rolldownOptions: { output: { entryFileNames: "index.js" } },
  },
});
