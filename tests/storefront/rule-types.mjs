/** Reads a line. For `null`, writes the client's types of limit rules; for the name of a type, the error of its look-up. */

import { createInterface } from "node:readline";

import { RULE_TYPES, ruleType } from "../../bundlesvc/storefront/client/rule-types.js";

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}

function answer(name) {
  if (name === null) return [...RULE_TYPES].map(([type, { unit, isMultiple = false }]) => [type, unit, isMultiple]);
  try {
    return ruleType(name).unit;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
