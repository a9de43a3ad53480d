// Reads every block that has kept a parser busy. Run as a program, to be ended if it does not end.
import { splitNote } from "../src/frontmatter.ts";

const chain = [
  "a0: &a0 [x]",
  ...Array.from({ length: 700 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}]`),
];
const blocks = [
  chain.join("\n"),
  Array.from({ length: 1500 }, () => "k: *b").join("\n"),
  ["a: &a [x]", ...Array.from({ length: 1500 }, () => "k: *a")].join("\n"),
  `k: x${" ".repeat(16_000)}#`,
  `k: x${" ".repeat(16_000)}y#`,
  "!x ".repeat(5000),
  "&a ".repeat(5000),
  `a: ${"[".repeat(16_000)}`,
  `a: ${"{a: ".repeat(4000)}`,
  `a:\n  ${"- ".repeat(8000)}`,
  "? ".repeat(8000),
  Array.from({ length: 170 }, (_, index) => `${" ".repeat(index)}a:`).join("\n"),
  Array.from({ length: 4000 }, () => "a:").join("\n"),
  Array.from({ length: 3000 }, () => "'a':").join("\n"),
];

for (let times = 0; times < 20; times++) for (const block of blocks) splitNote(`---\n${block}\n---\nbody`);
process.stdout.write("read\n");
