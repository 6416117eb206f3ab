/** Cases in the format of tests/vectors/conditions.json, and the client module's results for them. */

import { readFileSync } from "node:fs";

import { evaluateConditions } from "../../bundlesvc/storefront/client/conditions.js";

const FILE = new URL("../vectors/conditions.json", import.meta.url);

/** The defaults of vectors. */
export function readDefaults() {
  return JSON.parse(readFileSync(FILE, "utf-8")).defaults;
}

/** Every vector with its defaults filled in. */
export function readVectors() {
  const { defaults, chapters } = JSON.parse(readFileSync(FILE, "utf-8"));
  return chapters.flatMap(({ chapter, vectors }) =>
    vectors.map(({ name, nodes, lines, facts, expected }) => ({
      name: `${chapter.split(":")[0]}: ${name}`,
      nodes,
      lines: lines.map((line) => ({ ...defaults.line, ...line })),
      facts: { ...defaults.facts, ...facts },
      expected: { ...defaults.expected, ...expected },
    })),
  );
}

export function evaluateCase({ nodes, lines, facts }) {
  return evaluateConditions(nodes, selectionOf(lines), facts);
}

/** Lines of identical units in the form that a client sees: an item per unit, and the variants by id. */
export function selectionOf(lines) {
  const items = lines.flatMap(({ variant, product, section, count, personalisation }) =>
    Array.from({ length: count }, () => ({ variant, product, section, ...(personalisation && { personalisation }) })),
  );
  const variants = new Map(lines.map(({ variant, price, grams }) => [variant, { price, grams }]));
  return { items, variants };
}
