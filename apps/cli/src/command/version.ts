import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** The version of this package, whose manifest lies above the sources and above what is built of them. */
export function version(): string {
  const file = findPackageJSON("..", import.meta.url);
  if (file === undefined) throw new Error("The package has no package.json.");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
