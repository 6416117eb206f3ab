/** The personalisation fields of products in the bundle, which shoppers fill in. */

import { el, icon, iconButton } from "../dom.js";
import { slug } from "../model/templates.js";
import { picture } from "../picker.js";
import { say, sayOf } from "../words/words.js";
import { offeredIds } from "./editing.js";
import { feePart } from "./fee.js";
import { turnOnFirst } from "./features.js";
import { checkField, field, numberField, selectField, textField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Field } from "../types.js" */
/** @import { Editing } from "./editing.js" */

const TYPES = ["text", "dropdown", "checkbox", "image"];

/** @param {Editing} editing @returns {Child[]} */
export function personalisation(editing) {
  const { doc, catalogue } = editing;
  const own = doc.now.personalisation ?? {};
  const products = [...new Set([...Object.keys(own), ...offeredIds(doc.now).map(String)])];
  const others = products.filter((id) => !own[id]);
  const select = el(
    "select",
    { id: "personalise", "aria-label": say("personalise") },
    ...others.map((id) => el("option", { value: id, text: catalogue.title(id) })),
  );
  const add = () => addField(editing, select.value);
  return turnOnFirst(editing, "personalisation", () => [
    ...Object.entries(own).map(([id, fields]) => productCard(editing, id, fields)),
    others.length > 0 &&
      el(
        "div.row",
        {},
        select,
        el("button.quiet", { type: "button", id: "add-personalised", click: add }, icon("add"), say("personalise")),
      ),
    !products.length && el("p.soft", { text: say("products-first") }),
  ]);
}

/** @param {Editing} editing @param {string} product */
function addField({ doc }, product) {
  const fields = doc.now.personalisation?.[product] ?? [];
  const label = say("new-field", { number: fields.length + 1 });
  const taken = new Set(fields.map(({ key }) => key));
  let key = slug(label);
  while (taken.has(key)) key = `${key}-2`;
  doc.set(["personalisation", product], [...fields, { key, label, type: "text", characterLimit: 20 }]);
  const input = /** @type {HTMLInputElement | null} */ (
    document.getElementById(`f-personalisation-${product}-${fields.length}-label`)
  );
  input?.focus();
  input?.select();
}

/**
 * @param {Editing} editing
 * @param {string} product
 * @param {readonly Field[]} fields
 */
function productCard(editing, product, fields) {
  const { catalogue } = editing;
  return el(
    "div.section-card",
    { "data-path": `personalisation.${product}` },
    el(
      "div.section-head",
      {},
      picture(catalogue.get(product)?.imageUrl),
      el("strong", { text: catalogue.title(product) }),
    ),
    el("ol.cards", {}, ...fields.map((each, place) => fieldCard(editing, product, each, place))),
    el(
      "button.quiet.small",
      { type: "button", id: `add-field-${product}`, click: () => addField(editing, product) },
      icon("add"),
      say("add-field"),
    ),
  );
}

/**
 * @param {Editing} editing
 * @param {string} product
 * @param {Field} own
 * @param {number} place
 */
function fieldCard(editing, product, own, place) {
  const { doc } = editing;
  const path = ["personalisation", product, place];
  const name = own.label ?? own.key;
  const remove = () => {
    const left = (doc.now.personalisation?.[product] ?? []).toSpliced(place, 1);
    doc.set(["personalisation", product], left.length ? left : undefined);
  };
  return el(
    "li.inner-card",
    { "data-path": path.join(".") },
    el(
      "div.pair",
      {},
      textField(doc, { path: [...path, "label"], label: say("field-label"), hint: say("field-label-hint") }),
      selectField(doc, {
        path: [...path, "type"],
        label: say("field-type"),
        hint: say("field-type-hint"),
        choices: TYPES.map((each) => [each, sayOf("field", each)]),
      }),
    ),
    own.type === "text" &&
      el(
        "div.pair",
        {},
        numberField(doc, {
          path: [...path, "characterLimit"],
          label: say("field-limit"),
          hint: say("field-limit-hint"),
          isWhole: true,
          isOptional: true,
          min: 1,
        }),
        textField(doc, {
          path: [...path, "placeholder"],
          label: say("field-placeholder"),
          hint: say("field-placeholder-hint"),
        }),
      ),
    own.type === "dropdown" && optionsField(doc, path, own),
    feePart(editing, path, own),
    textField(doc, { path: [...path, "helpText"], label: say("field-help"), hint: say("field-help-hint") }),
    el(
      "div.row.ends",
      {},
      checkField(doc, { path: [...path, "required"], label: say("field-required") }),
      iconButton("trash", say("remove", { name }), remove, { id: `remove-field-${product}-${place}` }),
    ),
  );
}

/**
 * @param {import("../model/document.js").BundleDocument} doc
 * @param {(string | number)[]} path
 * @param {Field} own
 */
function optionsField(doc, path, own) {
  const input = el("textarea", {
    rows: 3,
    value: (own.options ?? []).join("\n"),
    input: () => {
      const options = input.value
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
      doc.set([...path, "options"], options.length ? options : undefined, { isTyped: true });
    },
  });
  return field({ path: [...path, "options"], label: say("field-options"), hint: say("field-options-hint") }, input);
}
