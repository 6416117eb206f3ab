/** Reads `null` from a line, and writes the client's types of conditions, each with its unit or null, and of actions. */

import { createInterface } from "node:readline";

import { ACTION_TYPES, CONDITION_TYPES } from "../../bundlesvc/storefront/client/condition-types.js";

for await (const _ of createInterface({ input: process.stdin })) {
  const conditions = [...CONDITION_TYPES].map(([name, type]) => [name, type.unit ?? null]);
  process.stdout.write(`${JSON.stringify([conditions, [...ACTION_TYPES.keys()]])}\n`);
}
