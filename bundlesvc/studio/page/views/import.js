/** Products from a table: which column is what, and what of it cannot be used. */

import { announce, el, redraw } from "../dom.js";
import { ApiError } from "../model/api.js";
import { readCsv } from "../model/csv.js";
import { textOf } from "../model/file-text.js";
import { COLUMNS, productsOf, suggested } from "../model/imported.js";
import { money } from "../model/money.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { View } from "../types.js" */
/** @import { Row } from "../model/csv.js" */
/** @import { Columns, NewProduct } from "../model/imported.js" */
/** @import { Workspace } from "../model/workspace.js" */

const SHOWN = 5;

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
        if (chosen) read(textOf(new Uint8Array(await chosen.arrayBuffer())));
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

  function read(/** @type {string | null} */ text) {
    if (text !== null) return map(readCsv(text));
    choose();
    stage.append(el("p.fault", { role: "alert", text: say("csv-no-text") }));
  }

  function map(/** @type {Row[]} */ [header, ...rows]) {
    if (!header || !rows.length) {
      choose();
      stage.append(el("p.fault", { role: "alert", text: say("csv-empty") }));
      return;
    }
    const columns = suggested(header.cells);
    const result = el("div.import-card", { "aria-live": "polite" });
    const tell = () => redraw(result, outcome(rows, columns));
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
        ...header.cells.map((name, place) =>
          el("option", { value: place, text: name, selected: place === columns[column] }),
        ),
      );
      return el("div.field", {}, el("label", { for: id, text: sayOf("column", column) }), select);
    });
    redraw(stage, [
      el(
        "div.import-card",
        {},
        el("h2", { text: say("which-column") }),
        el("p.hint", { text: say("which-column-hint", { rows: counted(rows.length, "row") }) }),
        el("div.import-columns", {}, ...fields),
      ),
      result,
      el("button.quiet", { type: "button", id: "other-file", text: say("other-file"), click: choose }),
    ]);
    tell();
  }

  /** @param {readonly Row[]} rows @param {Columns} columns */
  function outcome(rows, columns) {
    const { products, faults } = productsOf(rows, columns, Date.now() * 1000);
    const { currency } = workspace;
    const progress = el("p.soft", { role: "status" });
    const fault = el("p.fault", { role: "alert" });
    const take = el("button.primary", {
      type: "button",
      id: "take-products",
      text: say("import-them", { things: counted(products.length, "product") }),
      disabled: !products.length,
      click: () => write(products, take, progress, fault),
    });
    const shown = products.slice(0, SHOWN).map(({ title, variants = [] }) => {
      const prices = [...new Set(variants.map(({ price }) => money(price, currency)))];
      return el(
        "tr",
        {},
        el("th", { scope: "row", text: title }),
        el("td", { text: variants.length }),
        el("td", { text: prices.join(", ") }),
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
      faults.length > 0 && el("h3", { text: say("rows-unused", { rows: counted(faults.length, "row") }) }),
      faults.length > 0 &&
        el(
          "ul.import-faults",
          { tabindex: 0, "aria-label": say("rows-unused", { rows: counted(faults.length, "row") }) },
          ...faults.map(({ line, code, cell }) =>
            el("li", { text: say("row-fault", { line, why: sayOf("row", code).replace("{cell}", cell) }) }),
          ),
        ),
      fault,
      el("div.row", {}, take, progress),
    ];
  }

  /**
   * @param {readonly NewProduct[]} products
   * @param {HTMLButtonElement} take
   * @param {HTMLElement} progress
   * @param {HTMLElement} fault
   */
  async function write(products, take, progress, fault) {
    take.disabled = true;
    fault.textContent = "";
    for (let done = 0; done < products.length; ) {
      progress.textContent = say("import-progress", { done, all: products.length });
      try {
        await workspace.putProduct(/** @type {NewProduct} */ (products[done]));
        done += 1;
      } catch (error) {
        if (!(error instanceof ApiError) || !error.passes) {
          fault.textContent = error instanceof ApiError ? error.message : say("not-reached");
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1000));
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
  }
}
