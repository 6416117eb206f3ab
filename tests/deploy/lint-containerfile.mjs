/** Prints the faults in a Containerfile, as JSON. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { validate } = createRequire(`${process.argv[2]}/`)("dockerfile-utils");

const found = validate(readFileSync(process.argv[3], "utf-8"));
console.log(JSON.stringify(found.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)));
