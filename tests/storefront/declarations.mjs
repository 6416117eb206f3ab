/** Prints the differences between a declaration file of the npm package and the module that it describes. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

const [folder, configFile] = process.argv.slice(2);

const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
/** The declaration files with their modules. The files in dist/ are made from the same ones. */
const entries = Object.values(exports)
  .filter((entry) => entry.types && !entry.default.startsWith("./dist/"))
  .map((entry) => [entry.types, entry.default]);
const files = [...entries, ["./client/decimal.d.ts", "./client/decimal.js"]].map((pair) =>
  pair.map((path) => join(folder, path)),
);

const { options } = ts.getParsedCommandLineOfConfigFile(configFile, {}, ts.sys);
const program = ts.createProgram(files.flat(), options);
const checker = program.getTypeChecker();

/** The values that a file exports, by name. */
function valuesOf(path) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(path));
  const symbols = checker.getExportsOfModule(module).filter((symbol) => !isTypeOnly(symbol));
  const originals = symbols.map((symbol) => [symbol.name, original(symbol)]);
  return new Map(originals.filter(([, symbol]) => symbol.flags & ts.SymbolFlags.Value));
}

const isTypeOnly = (symbol) => symbol.declarations.every((one) => ts.isTypeOnlyExportDeclaration(one));

const original = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** The type of the instances of a class; undefined for any other value. */
const instanceOf = (symbol) => {
  const prototype = checker.getTypeOfSymbol(symbol).getProperty("prototype");
  return prototype && checker.getTypeOfSymbol(prototype);
};

function difference(name, code, declared) {
  if (checker.isTypeAssignableTo(code, declared)) return [];
  const [is, should] = [code, declared].map((type) => checker.typeToString(type));
  return [`${name}: the code has ${is}, the declaration ${should}`];
}

/** The differences of a class, member by member: constructors that only the package calls are not declared. */
function differencesOfClass(name, code, declared) {
  return checker.getPropertiesOfType(declared).flatMap((member) => {
    const own = checker.getPropertyOfType(code, member.name);
    if (!own) return [`${name}.${member.name}: only in the declaration`];
    return difference(`${name}.${member.name}`, checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(member));
  });
}

function differences([declarations, module]) {
  const [declared, code] = [valuesOf(declarations), valuesOf(module)];
  const names = new Set([...declared.keys(), ...code.keys()]);
  return [...names].flatMap((name) => {
    if (!declared.has(name)) return [`${name}: only in the code`];
    if (!code.has(name)) return [`${name}: only in the declaration`];
    const [one, other] = [code.get(name), declared.get(name)];
    const [written, promised] = [one, other].map(instanceOf);
    if (written && promised) return differencesOfClass(name, written, promised);
    return difference(name, checker.getTypeOfSymbol(one), checker.getTypeOfSymbol(other));
  });
}

for (const pair of files) for (const found of differences(pair)) console.log(found);
