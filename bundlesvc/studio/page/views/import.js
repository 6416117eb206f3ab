/** Imports products from a table. Shows the meaning of each column, and the rows that cannot be used. */

import { announce, el, redraw } from "../dom.js";
import { ApiError } from "../model/api.js";
import { putProduct } from "../model/changes.js";
import { COLUMNS, missingColumn, suggested } from "../model/importing/columns.js";
import { readCsv } from "../model/importing/csv.js";
import { foreignSignIn } from "../model/importing/currency-signs.js";
import { MAX_MEGABYTES, readFile } from "../model/importing/file-text.js";
import { productsOf } from "../model/importing/imported.js";
import { money } from "../model/money.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { View } from "../types.js" */
/** @import { Columns } from "../model/importing/columns.js" */
/** @import { Table } from "../model/importing/csv.js" */
/** @import { FileText } from "../model/importing/file-text.js" */
/** @import { Imported, NewProduct, RowFault } from "../model/importing/imported.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** The maximum numbers to show of a long file: products and prices of a product, faults, and characters of a cell. */
const SHOWN = 5;
const FAULTS_SHOWN = 100;
const CELL_SHOWN = 60;

/** The status for a body that is too large (RFC 9110). */
const TOO_LARGE = 413;

/** @param {Workspace} workspace @returns {View} */
export function importView(workspace) {
  const stage = el("div.import");
  choose();
  return {
    title: say("import"),
    nodes: [el("div.view-head", {}, el("h1", { id: "title", tabindex: -1, text: say("import") })), stage],
  };

  function choose() {
    const file = el("input", {
      id: "csv",
      type: "file",
      accept: ".csv,.tsv,text/csv,text/plain",
      "aria-describedby": "csv-hint",
      change: async () => {
        const [chosen] = file.files ?? [];
        if (chosen) read(await readFile(chosen));
      },
    });
    redraw(stage, [
      el(
        "div.import-card",
        {},
        el("label.label", { for: "csv", text: say("csv") }),
        el("p.hint", { id: "csv-hint", text: say("csv-hint") }),
        file,
      ),
    ]);
  }

  function read(/** @type {FileText} */ file) {
    if (file.fault) return refuse(file.fault);
    const table = readCsv(file.text);
    if (table.header?.fault) return refuse("open-quote");
    if (!table.rows.length) return refuse("empty");
    map(table);
  }

  function refuse(/** @type {string} */ code) {
    choose();
    stage.append(el("p.fault", { role: "alert", text: sayOf("file", code, { limit: MAX_MEGABYTES }) }));
  }

  function map(/** @type {Table} */ table) {
    const names = table.header?.cells.map((name) => name.trim()) ?? [];
    const columns = suggested(names);
    const result = el("div.import-card", { "aria-live": "polite" });
    const tell = () => redraw(result, outcome(table, columns));
    const fields = COLUMNS.map((column) => {
      const id = `column-${column}`;
      const select = el(
        "select",
        {
          id,
          change: () => {
            columns[column] = Number(select.value);
            tell();
          },
        },
        el("option", { value: -1, text: say("no-column") }),
        ...names.map((name, place) => el("option", { value: place, text: name, selected: place === columns[column] })),
      );
      return el("div.field", {}, el("label", { for: id, text: sayOf("column", column) }), select);
    });
    redraw(stage, [
      el(
        "div.import-card",
        {},
        el("h2", { text: say("which-column") }),
        el("p.hint", { text: say("which-column-hint", { rows: counted(table.rows.length, "row") }) }),
        el("div.import-columns", {}, ...fields),
      ),
      result,
      el("button.quiet", { type: "button", id: "other-file", text: say("other-file"), click: choose }),
    ]);
    tell();
  }

  /** A fault that concerns all rows; "" when there is none. @param {Table} table @param {Columns} columns */
  function faultOfColumns(table, columns) {
    const missing = missingColumn(columns);
    if (missing) return sayOf("file", `no-${missing}`);
    const { currency } = workspace;
    const column = table.header?.cells[columns.price]?.trim() ?? "";
    const sign = foreignSignIn(column, currency);
    return sign && sayOf("file", "foreign-price", { column, sign, currency });
  }

  /** @param {Table} table @param {Columns} columns */
  function outcome(table, columns) {
    const { currency, content } = workspace;
    const fileFault = faultOfColumns(table, columns);
    if (fileFault) return [el("p.fault", { role: "status", text: fileFault })];
    const { products, faults } = productsOf(
      table,
      columns,
      { currency, products: content.products },
      Date.now() * 1000,
    );
    const progress = el("p.soft", { role: "status" });
    const fault = el("p.fault", { role: "alert" });
    let done = 0;
    const take = el("button.primary", {
      type: "button",
      id: "take-products",
      text: say("import-them", { things: counted(products.length, "product") }),
      disabled: !products.length,
      click: async () => {
        done = await write(products, done, take, progress, fault);
      },
    });
    const shown = products.slice(0, SHOWN).map(({ product: { title, variants = [] } }) => {
      const prices = [...new Set(variants.map(({ price }) => price))];
      const some = prices.slice(0, SHOWN).map((price) => money(price, currency));
      return el(
        "tr",
        {},
        el("th", { scope: "row", text: title }),
        el("td", { text: variants.length }),
        el("td", { text: prices.length > SHOWN ? `${some.join(", ")} …` : some.join(", ") }),
      );
    });
    return [
      el("h2", { text: say("import-result", { things: counted(products.length, "product") }) }),
      products.length > 0 &&
        el(
          "div.table-scroll",
          { tabindex: 0, role: "region", "aria-label": say("products-found") },
          el(
            "table",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                ...["column-title", "variants", "column-price"].map((key) =>
                  el("th", { scope: "col", text: say(/** @type {any} */ (key)) }),
                ),
              ),
            ),
            el("tbody", {}, ...shown),
          ),
        ),
      products.length > SHOWN && el("p.soft", { text: say("and-more", { count: products.length - SHOWN }) }),
      ...(faults.length > 0 ? unused(faults) : []),
      fault,
      el("div.row", {}, take, progress),
    ];
  }

  /** The rows that cannot be imported, with the reasons. @param {readonly RowFault[]} faults */
  function unused(faults) {
    const title = say("rows-unused", { rows: counted(faults.length, "row") });
    const more = faults.length - FAULTS_SHOWN;
    return [
      el("h3", { text: title }),
      el("ul.import-faults", { tabindex: 0, "aria-label": title }, ...faults.slice(0, FAULTS_SHOWN).map(sentence)),
      more > 0 && el("p.soft", { text: say("and-more", { count: more }) }),
    ];
  }

  /** @param {RowFault} fault */
  function sentence({ line, code, cell, column, limit = 0, sign = "", first = 0 }) {
    const shown = cell.length > CELL_SHOWN ? `${cell.slice(0, CELL_SHOWN)}…` : cell;
    const name = column ? sayOf("column", column) : "";
    const places = { cell: shown, column: name, limit, sign, first, currency: workspace.currency };
    return el("li", { text: say("row-fault", { line, why: sayOf("row", code, places) }) });
  }

  /**
   * Stores products in the draft, starting at an index. Returns how many products are stored; fewer than all when a
   * product is refused.
   *
   * @param {readonly Imported[]} products
   * @param {number} from
   * @param {HTMLButtonElement} take
   * @param {HTMLElement} progress
   * @param {HTMLElement} fault
   */
  async function write(products, from, take, progress, fault) {
    take.disabled = true;
    fault.textContent = "";
    for (const [place, { line, product }] of products.slice(from).entries()) {
      progress.textContent = say("import-progress", { done: from + place, all: products.length });
      try {
        await put(product);
      } catch (error) {
        fault.textContent = say("import-stopped", { line, title: product.title, why: whyNot(error) });
        take.disabled = false;
        return from + place;
      }
    }
    progress.textContent = "";
    announce(say("was-imported", { things: counted(products.length, "product") }));
    redraw(stage, [
      el(
        "div.import-card",
        {},
        el("h2", { text: say("was-imported", { things: counted(products.length, "product") }) }),
        el("p", { text: say("was-imported-text") }),
        el("div.row", {}, el("a.primary", { href: "#/new", text: say("new-bundle") })),
      ),
    ]);
    return products.length;
  }

  /** Stores a product in the draft, and retries when that fails temporarily. @param {NewProduct} product */
  async function put(product) {
    for (;;) {
      try {
        return await putProduct(workspace, product);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.passes) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1000));
      }
    }
  }
}

/** The reason why a product was permanently refused. @param {unknown} error */
function whyNot(error) {
  if (!(error instanceof ApiError)) return say("not-reached");
  if (error.status === TOO_LARGE) return say("import-too-large");
  return error.message || say("import-refused", { status: error.status });
}
