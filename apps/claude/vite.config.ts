import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, runnerImport, type UserConfig } from "vite";

const CONDITIONS = ["@notesoup/source", "module", "node"];

/**
 * Two bundles, each of one kind of place. The module runs in the host's own environment, which has no
 * Node and reads the source before it loads it: one file, with `register` as a function at its top.
 * The helper runs in Node.
 */
export default defineConfig(({ mode }) => (mode === "helper" ? helper : hooksModule));

const hooksModule: UserConfig = {
  plugins: [evaluated("src/module/tool-offers.ts")],
  resolve: { conditions: ["@notesoup/source", "module"] },
  publicDir: false,
  build: {
    lib: { entry: "src/module/register.ts", formats: ["es"], fileName: () => "register.js" },
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    minify: false,
  },
};

const helper: UserConfig = {
  ssr: { noExternal: true, resolve: { conditions: CONDITIONS } },
  build: {
    ssr: "src/helper/main.ts",
    outDir: "dist",
    emptyOutDir: false,
    target: "node22",
    minify: false,
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    rolldownOptions: { output: { entryFileNames: "helper.mjs", chunkFileNames: "helper-[name].mjs" } },
  },
};

/** A source whose exports stand in the bundle as the plain data that they are: what makes them stays outside. */
function evaluated(source: string): Plugin {
  const path = fileURLToPath(new URL(source, import.meta.url));
  return {
    name: "evaluated",
    enforce: "pre",
    async load(id) {
      if (id !== path) return null;
      const { module } = await runnerImport<Record<string, unknown>>(path, {
        configFile: false,
        ssr: { resolve: { conditions: CONDITIONS } },
      });
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}
