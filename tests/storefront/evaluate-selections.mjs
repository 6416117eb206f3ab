/** Reads a case as JSON from each line of standard input, and writes the client module's result as a line of JSON. */

import { createInterface } from "node:readline";

import { evaluateCase } from "./selection-cases.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(evaluateCase(JSON.parse(line)))}\n`);
}
