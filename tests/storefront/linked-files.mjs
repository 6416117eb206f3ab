/**
 * Imports the client as served from a folder, and compares it with its source. Reads {folder, digest} as a line of JSON, and writes the
 * result.
 */

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import "./browser-globals.mjs";
import * as source from "../../bundlesvc/storefront/client/client.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, digest } = JSON.parse(line);
  const served = (path) => import(pathToFileURL(`${folder}/${path}`).href);
  const { $modules, ...linked } = await served(`${digest}/client/client.js`);
  const short = await served("client/client.js");
  const { CartDataError } = await served("cart/cart.js");
  const parts = await Promise.all(["client/decimal.js", `${digest}/client/decimal.js`].map(served));
  const result = {
    exports: Object.keys(linked).sort(),
    expected: Object.keys(source).sort(),
    modules: Object.keys($modules),
    sameInstances: Object.keys(source).every((name) => short[name] === linked[name]),
    sameParts: parts.every(({ parse }) => parse === linked.decimal.parse),
    sameError: CartDataError === linked.CartDataError,
    sum: linked.decimal.toFixed(linked.decimal.add(linked.decimal.parse("0.1"), linked.decimal.parse("0.2")), 2),
    mapped: ["client/client.js", "bundle-builder.js", "cart/cart.js"].map((name) =>
      compared(folder, `${digest}/${name}`),
    ),
  };
  console.log(JSON.stringify(result));
}

/** The number of lines of a file that its source map maps to a source, and the lines that differ there, apart from types. */
function compared(folder, path) {
  const map = JSON.parse(readFileSync(`${folder}/${path}.map`, "utf-8"));
  const sources = Object.fromEntries(map.sources.map((name, index) => [name, map.sourcesContent[index].split("\n")]));
  const decoded = new SourceMap(map);
  const wrong = [];
  let count = 0;
  for (const [number, text] of readFileSync(`${folder}/${path}`, "utf-8").split("\n").entries()) {
    const { generatedLine, originalSource, originalLine, originalColumn } = decoded.findEntry(number, 0);
    if (generatedLine !== number || text === "" || text.includes("$modules")) continue;
    const written = sources[originalSource][originalLine].slice(originalColumn);
    const original = written.replace(/^export /, "").replace(/\/\*\* @type \{.*?\} \*\/ ?/g, "");
    count += 1;
    if (original !== text) wrong.push([number, text, original]);
  }
  return { count, wrong };
}
