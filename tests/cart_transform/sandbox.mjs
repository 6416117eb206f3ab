/**
 * Runs the step as the platform does: bundled into one file, in an engine that has nothing but the language. Reads calls from
 * standard input, one a line: {"engine", "call", "argument"}, and writes {"result"} or {"error"} for each.
 *
 * "quickjs" is the engine's kind that functions run on, compiled to WebAssembly; "v8" is Node's own, in an empty context.
 * Each call gets a fresh sandbox.
 *
 * Usage: node sandbox.mjs FOLDER [--print]. FOLDER: whose node_modules have what is needed; --print: write the bundled file,
 * which defines `step`, and end.
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";

const require = createRequire(`${process.argv[2]}/package.json`);
const { build } = require("esbuild");
const { Intrinsics, QuickJS } = await import(require.resolve("quickjs-wasi"));

const NOT_OF_THE_LANGUAGE = Intrinsics.ATOB_BTOA | Intrinsics.PERFORMANCE | Intrinsics.DOM_EXCEPTION;
const engine = await WebAssembly.compile(await readFile(require.resolve("quickjs-wasi/quickjs.wasm")));
const program = await bundled();

/** The step and its packages as a script that defines `step`. */
async function bundled() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("entry.js", import.meta.url))],
    bundle: true,
    format: "iife",
    globalName: "step",
    minify: true,
    target: "es2022",
    write: false,
  });
  return outputFiles[0].text;
}

const ENGINES = {
  async quickjs(call) {
    const vm = await QuickJS.create({ wasm: engine, intrinsics: Intrinsics.ALL & ~NOT_OF_THE_LANGUAGE });
    try {
      vm.evalCode(program).dispose();
      return vm.evalCode(call).consume((result) => result.toString());
    } finally {
      vm.dispose();
    }
  },
  v8(call) {
    const context = createContext(Object.create(null));
    runInContext(program, context);
    return runInContext(call, context);
  },
};

/** The argument goes in and the result comes out as JSON, as on the platform. */
async function answer({ engine: name, call, argument }) {
  const text = JSON.stringify(JSON.stringify(argument));
  return { result: JSON.parse(await ENGINES[name](`JSON.stringify(step.${call}(JSON.parse(${text})))`)) };
}

if (process.argv[3] === "--print") {
  process.stdout.write(program);
  process.exit();
}
for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).catch((error) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
