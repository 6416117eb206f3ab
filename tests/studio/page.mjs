/** Runs functions of the page's modules for tests: reads the name of a function and its arguments from standard input. */

import { readFileSync } from "node:fs";

globalThis.localStorage = { getItem: () => "en", setItem: () => {}, removeItem: () => {} };
const page = "../../bundlesvc/studio/page";
const { readCsv } = await import(`${page}/model/importing/csv.js`);
const { pointsOf } = await import(`${page}/model/discounts.js`);
const { readAmount } = await import(`${page}/model/importing/amounts.js`);
const { missingColumn, suggested } = await import(`${page}/model/importing/columns.js`);
const { ACTIONS, TEST_TYPES, actionOfType, sentenceOf, testOfType } = await import(`${page}/model/condition-types.js`);
const { TYPES: RULES } = await import(`${page}/editor/rules.js`);
const { foreignSignIn } = await import(`${page}/model/importing/currency-signs.js`);
const { textOf } = await import(`${page}/model/importing/file-text.js`);
const { productsOf } = await import(`${page}/model/importing/imported.js`);
const { bundleFrom, sameContents, savingOf } = await import(`${page}/model/platform-bundles.js`);
const { TEMPLATES, bundleOf } = await import(`${page}/model/templates.js`);
const { EN } = await import(`${page}/words/en.js`);
const { DE } = await import(`${page}/words/de.js`);

/** The products of a table, the lines at which they begin, and the parts that cannot be used; or the missing column. */
function imported(text, shop = {}) {
  const table = readCsv(text);
  const columns = suggested(table.header.cells);
  const missing = missingColumn(columns);
  if (missing) return { missing };
  const { products, faults } = productsOf(table, columns, { currency: "EUR", products: [], ...shop }, 1000);
  return { products: products.map(({ product }) => product), lines: products.map(({ line }) => line), faults };
}

/** The bundle of each template, with these products. */
function templates(products) {
  const asked = {
    name: "Mine",
    products,
    gift: [products[0]],
    count: 2,
    percent: 10,
    price: "15",
    from: "50",
    label: "Words",
  };
  return Object.values(TEMPLATES).map((template) => {
    const own = Object.fromEntries(
      template.questions
        .filter(({ kind }) => ["tiers", "plans"].includes(kind))
        .map(({ key, initial }) => [key, initial]),
    );
    const others = template.name === "more" ? { count: 12 } : {};
    return {
      ...bundleOf(template, { ...asked, ...others, ...own }, "en", null),
      features: template.features,
      name: template.name,
    };
  });
}

/** The text of a file, given as base64. */
const decoded = (base64) => textOf(Buffer.from(base64, "base64"));

const functions = {
  actionOfType,
  bundleFrom,
  decoded,
  foreignSignIn,
  imported,
  pointsOf,
  readAmount,
  readCsv,
  sameContents,
  savingOf,
  suggested,
  templates,
  testOfType,
  types: () => ({ rules: RULES, actions: ACTIONS, tests: TEST_TYPES, sentences: TEST_TYPES.map(sentenceOf) }),
  words: () => ({ en: EN, de: DE }),
};
const calls = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(calls.map(([name, ...values]) => functions[name](...values) ?? null)));
