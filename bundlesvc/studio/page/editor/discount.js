/** The editor of a discount (none, a single one, or tiers), with the price that a shopper pays. */

import { el, icon, iconButton } from "../dom.js";
import { isTiered } from "../model/discounts.js";
import { say, sayOf } from "../words/words.js";
import { priceChart } from "./chart.js";
import { numberField, selectField, textField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Discount, Tier } from "../types.js" */
/** @import { Editing } from "./editing.js" */

const OPERATIONS = ["gte", "gt", "eq", "lte", "lt"];
const NONE = "none";

/** @param {Editing} editing @returns {Child[]} */
export function discount(editing) {
  const { doc } = editing;
  const now = doc.now.discount;
  const kind = selectField(doc, {
    path: ["discount", "type"],
    label: say("discount-kind"),
    hint: say("discount-kind-hint"),
    initial: NONE,
    choices: [NONE, "percentage", "fixed", "price"].map((each) => [each, sayOf("discount", each)]),
    choose: (type) => doc.update(["discount"], (own) => (type === NONE ? undefined : withType(own, type))),
  });
  return now ? [kind, ...(isTiered(now) ? tiered(editing, now) : flat(editing, now)), priceChart(editing)] : [kind];
}

/** @param {Discount | undefined} now @param {string} type */
function withType(now, type) {
  return { value: "10.00", ...now, type };
}

/** @param {Discount} now @param {Editing} editing */
function unitOf(now, { workspace }) {
  return now.type === "percentage" ? "%" : workspace.currency;
}

/** @param {Editing} editing */
function levels({ doc }) {
  return selectField(doc, {
    path: ["discount", "flatOrTiered"],
    label: say("discount-levels"),
    hint: say("discount-levels-hint"),
    initial: isTiered(/** @type {Discount} */ (doc.now.discount)) ? "tiered" : "flat",
    choices: [
      ["flat", say("discount-flat")],
      ["tiered", say("discount-tiered")],
    ],
    choose: (value) => {
      const now = /** @type {Discount} */ (doc.now.discount);
      const { tiers = [], ...others } = now;
      doc.set(
        ["discount"],
        value === "flat"
          ? { ...others, flatOrTiered: "flat" }
          : {
              ...others,
              flatOrTiered: "tiered",
              operator: now.operator ?? "max",
              tiers: tiers.length ? tiers : [newTier(now)],
            },
      );
    },
  });
}

/** @param {Editing} editing @param {Discount} now @returns {Child[]} */
function flat(editing, now) {
  const { doc, workspace } = editing;
  return [
    levels(editing),
    numberField(doc, {
      path: ["discount", "value"],
      label: sayOf("discount-value", now.type),
      hint: sayOf("discount-value-hint", now.type),
      unit: unitOf(now, editing),
      isAmount: true,
      ...(now.type === "percentage" ? { max: 100 } : {}),
    }),
    minimum(editing, workspace.currency),
  ];
}

/** @param {Editing} editing @param {string} unit */
function minimum({ doc }, unit) {
  return numberField(doc, {
    path: ["discount", "minimum"],
    label: say("discount-minimum"),
    hint: say("discount-minimum-hint"),
    unit,
    isAmount: true,
    isOptional: true,
  });
}

/** @param {Editing} editing @param {Discount} now @returns {Child[]} */
function tiered(editing, now) {
  const { doc, workspace } = editing;
  const tiers = now.tiers ?? [];
  const add = () => {
    doc.update(["discount"], (own) => ({ ...own, tiers: [...(own.tiers ?? []), newTier(own)] }));
    document.getElementById(`f-discount-tiers-${tiers.length}-value`)?.focus();
  };
  const head = ["tier-measure", "tier-operation", "tier-value", "tier-discount", "tier-text"].map((key) =>
    el("th", { scope: "col", text: say(/** @type {any} */ (key)) }),
  );
  return [
    levels(editing),
    el(
      "div.table-scroll",
      { tabindex: 0, role: "region", "aria-label": say("tiers") },
      el(
        "table.tiers",
        {},
        el("thead", {}, el("tr", {}, ...head, el("th", {}, el("span.hidden-text", { text: say("tools") })))),
        el("tbody", {}, ...tiers.map((tier, place) => tierRow(editing, now, tier, place))),
      ),
    ),
    el("button.quiet", { type: "button", id: "add-tier", click: add }, icon("add"), say("add-tier")),
    tiers.length > 1 &&
      selectField(doc, {
        path: ["discount", "operator"],
        label: say("tiers-together"),
        hint: say("tiers-together-hint"),
        initial: "max",
        choices: [
          ["max", say("tiers-max")],
          ["cumulative", say("tiers-cumulative")],
        ],
      }),
    minimum(editing, workspace.currency),
  ];
}

/** @param {Discount} now @returns {Tier} */
function newTier({ tiers = [], value = "10.00" }) {
  const last = tiers.at(-1);
  if (!last) return { type: "total_products", operation: "gte", value: "3", discount: value };
  return { ...last, value: String(Number(last.value) + 2), discount: (Number(last.discount) + 5).toFixed(2) };
}

/**
 * @param {Editing} editing
 * @param {Discount} now
 * @param {Tier} tier
 * @param {number} place
 */
function tierRow(editing, now, tier, place) {
  const { doc } = editing;
  const path = ["discount", "tiers", place];
  const number = place + 1;
  const bare = (/** @type {string} */ key, /** @type {any} */ label) => ({
    path: [...path, key],
    label: say("tier-number", { number, label: say(label) }),
    isBare: true,
  });
  const cells = [
    selectField(doc, {
      ...bare("type", "tier-measure"),
      choices: ["total_products", "bulk_buy", "total_price"].map((each) => [each, sayOf("tier", each)]),
    }),
    selectField(doc, {
      ...bare("operation", "tier-operation"),
      choices: OPERATIONS.map((each) => [each, sayOf("operation", each)]),
    }),
    numberField(doc, bare("value", "tier-value")),
    numberField(doc, { ...bare("discount", "tier-discount"), unit: unitOf(now, editing), isAmount: true }),
    textField(doc, bare("customText", "tier-text")),
    iconButton("trash", say("remove", { name: say("tier-name", { number }) }), () => doc.set(path, undefined), {
      id: `remove-tier-${place}`,
    }),
  ];
  return el("tr", { "data-path": path.join("."), "data-tier": tier.type }, ...cells.map((cell) => el("td", {}, cell)));
}
