/**
 * Runs merges of the page's module, for a comparison with those of the service: reads cases from standard input, and writes the
 * results.
 */

import { readFileSync } from "node:fs";

import { merge, patchBetween } from "../../bundlesvc/studio/page/model/plain.js";

const cases = JSON.parse(readFileSync(0, "utf8"));
const made = cases.map(({ base, theirs, mine }) => {
  const { merged, clashes } = merge(base, theirs, mine);
  return { merged, clashes: clashes.map(({ path }) => path.join(".")), patch: patchBetween(base, mine) ?? {} };
});
process.stdout.write(JSON.stringify(made));
