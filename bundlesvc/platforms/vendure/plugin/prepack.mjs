// Runs before `npm pack` and `npm publish`: checks that the files that only a release creates exist.

import { existsSync } from "node:fs";

const missing = ["dist/index.js", "dist/index.d.ts", "LICENSE"].filter(
  (path) => !existsSync(new URL(path, import.meta.url)),
);

if (missing.length > 0) {
  console.error(`Nothing was packed. Missing here: ${missing.join(", ")}.`);
  console.error(
    "Run scripts/release in the root of the repository. It makes these files and writes the package to dist/.",
  );
  process.exit(1);
}
