// Runs before `npm pack` and `npm publish`: checks that the files that only a release creates exist.

import { existsSync, readFileSync } from "node:fs";

const about = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const addresses = (entry) =>
  typeof entry === "string" ? [entry.replace(/^\.\//, "")] : Object.values(entry).flatMap(addresses);
const named = addresses([about.exports, about.main, about.types, about.unpkg, about.jsdelivr, about.customElements]);
const missing = [...new Set([...named, "LICENSE"])].filter((path) => !existsSync(new URL(path, import.meta.url)));

if (missing.length > 0) {
  console.error(`Nothing was packed. Missing here: ${missing.join(", ")}.`);
  console.error(
    "Run scripts/release in the root of the repository. It makes these files and writes the package to dist/.",
  );
  process.exit(1);
}
