/** Prints the custom elements manifest: members and events come from the component's types, everything else from its guide. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

const [folder, guidePath] = process.argv.slice(2);
const TYPES = "bundle-builder.d.ts";
const MODULE = "bundle-builder.js";
const ELEMENT = "bundle-builder";

const guide = readFileSync(guidePath, "utf-8");
const types = ts.createSourceFile(TYPES, readFileSync(join(folder, TYPES), "utf-8"), ts.ScriptTarget.Latest, true);

/** The rows of the guide's table whose first column has this title: the names in it, and the text of the last column. */
function table(title) {
  const [, rows] = new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, "m").exec(guide) ?? [];
  if (!rows) throw new Error(`The guide has no table of each ${title}.`);
  return rows
    .trim()
    .split("\n")
    .flatMap((row) => {
      const cells = row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim());
      return names(cells[0]).map((name) => ({ name, description: cells.at(-1) }));
    });
}

function names(text) {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

/** The paragraph that begins with these words. */
const paragraph = (words) => new RegExp(`^${words}.*?(?=\\n\\n)`, "ms").exec(guide)?.[0] ?? "";

const comment = (node) => ts.getJSDocCommentsAndTags(node).map(({ comment }) => ts.getTextOfJSDocComment(comment))[0];

const members = new Map();

/** A getter and its setter are one field. */
function addMember(node) {
  const name = node.name.getText();
  const description = comment(node) ?? members.get(name)?.description;
  if (ts.isMethodDeclaration(node)) return void members.set(name, { kind: "method", name, description });
  const isFixed = ts.isGetAccessor(node) || node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
  const type = { text: (node.type ?? node.parameters[0].type).getText() };
  members.set(name, {
    kind: "field",
    name,
    type,
    ...(isFixed && !members.has(name) && { readonly: true }),
    description,
  });
}

const events = [];

function visit(node) {
  if (ts.isClassDeclaration(node)) node.members.forEach(addMember);
  else if (ts.isInterfaceDeclaration(node) && node.name.text === "GlobalEventHandlersEventMap") {
    for (const { name, type } of node.members) events.push({ name: name.text, type: { text: type.getText() } });
  } else ts.forEachChild(node, visit);
}

visit(types);
const described = Object.fromEntries(table("event").map(({ name, description }) => [name, description]));

const element = {
  kind: "class",
  customElement: true,
  name: "BundleBuilder",
  tagName: ELEMENT,
  superclass: { name: "HTMLElement" },
  description: /^`<bundle-builder>`.*?(?=\n\n)/ms.exec(guide)?.[0].replaceAll("\n", " "),
  attributes: table("attribute"),
  members: [...members.values()],
  events: events.map((event) => ({ ...event, description: described[event.name] })),
  slots: table("slot"),
  cssProperties: table("property"),
  cssParts: [...new Set(names(paragraph("All parts:")))].map((name) => ({ name })),
};
const declaration = { name: element.name, module: MODULE };
const exports = [
  { kind: "js", name: element.name, declaration },
  { kind: "custom-element-definition", name: ELEMENT, declaration },
];
const module = { kind: "javascript-module", path: MODULE, declarations: [element], exports };
process.stdout.write(`${JSON.stringify({ schemaVersion: "1.0.0", modules: [module] }, null, 2)}\n`);
