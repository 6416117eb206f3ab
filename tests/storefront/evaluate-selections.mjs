/** Answers each line of standard input, a case as JSON, with a line of JSON: what the client module comes to for it. */

import { createInterface } from "node:readline";

import { evaluateCase } from "./selection-cases.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(evaluateCase(JSON.parse(line)))}\n`);
}
