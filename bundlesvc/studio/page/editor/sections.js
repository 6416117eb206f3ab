/** The sections of a bundle, with the products that shoppers choose from. */

import { el, icon, iconButton } from "../dom.js";
import { picture, pickProducts } from "../picker.js";
import { counted, say } from "../words/words.js";
import { nextNumber, sectionsOf } from "./editing.js";
import { checkField, textField } from "./fields.js";
import { moved, orderTools } from "./ordering.js";

/** @import { Child } from "../dom.js" */
/** @import { Product, Section, SectionProduct } from "../types.js" */
/** @import { Editing } from "./editing.js" */

/** @param {Editing} editing @returns {Child[]} */
export function sections(editing) {
  const { doc } = editing;
  const all = sectionsOf(doc.now);
  const add = () => {
    const id = nextNumber(all.map((section) => section.id));
    doc.update(["sections"], (now = []) => [...now, { id, name: "", products: [] }]);
    document.getElementById(`f-sections-${all.length}-name`)?.focus();
  };
  return [
    el("ol.sections", {}, ...all.map((section, place) => sectionCard(editing, section, place))),
    el("button.quiet", { type: "button", id: "add-section", click: add }, icon("add"), say("add-section")),
  ];
}

/**
 * @param {Editing} editing
 * @param {Section} section
 * @param {number} place
 */
function sectionCard(editing, section, place) {
  const { doc } = editing;
  const all = sectionsOf(doc.now);
  const name = section.name || say("section-number", { number: place + 1 });
  const products = section.products ?? [];
  const card = el("li.section-card", { "data-path": `sections.${place}` });
  const move = (/** @type {number} */ from, /** @type {number} */ to) =>
    doc.update(["sections"], (now) => withoutOrder(moved(now, from, to)));
  card.append(
    el(
      "div.section-head",
      {},
      orderTools(card, { id: "section", name, place, count: all.length, move }),
      el("span.soft", { text: counted(products.length, "product") }),
      iconButton("trash", say("remove", { name }), () => doc.set(["sections", place], undefined), {
        id: `remove-section-${place}`,
      }),
    ),
    textField(doc, { path: ["sections", place, "name"], label: say("section-name"), hint: say("section-name-hint") }),
    el(
      "ol.products",
      { "aria-label": say("products-of", { name }) },
      ...products.map((product, item) => productRow(editing, place, product, item)),
    ),
    el(
      "button.quiet",
      { type: "button", id: `add-products-${place}`, click: () => addProducts(editing, place) },
      icon("add"),
      say("add-products"),
    ),
    el(
      "details.more",
      { id: `more-section-${place}` },
      el("summary", { text: say("more-section") }),
      textField(doc, {
        path: ["sections", place, "description"],
        label: say("section-description"),
        hint: say("section-description-hint"),
        isLong: true,
      }),
      textField(doc, { path: ["sections", place, "imageUrl"], label: say("picture"), hint: say("picture-hint") }),
      checkField(doc, {
        path: ["sections", place, "autoNextSection"],
        label: say("auto-next"),
        hint: say("auto-next-hint"),
      }),
    ),
  );
  return card;
}

/**
 * The sections without their `order` numbers, which would contradict the order of the list.
 *
 * @param {readonly Section[]} sections
 */
function withoutOrder(sections) {
  return sections.map(({ order: _, ...section }) => section);
}

/**
 * @param {Editing} editing
 * @param {number} place
 */
async function addProducts({ doc, workspace, catalogue }, place) {
  const own = sectionsOf(doc.now)[place]?.products ?? [];
  const taken = new Set(own.map((each) => String(each.platformProductId)));
  const chosen = await pickProducts(workspace, catalogue, { taken });
  if (!chosen.length) return;
  let item = nextNumber(sectionsOf(doc.now).flatMap(({ products = [] }) => products.map((each) => each.bundleItemId)));
  const added = chosen.map((/** @type {Product} */ product) => ({
    bundleItemId: item++,
    platformProductId: Number(product.platformProductId),
  }));
  doc.update(["sections", place, "products"], (now = []) => [...now, ...added]);
  document.getElementById(`add-products-${place}`)?.focus();
}

/**
 * @param {Editing} editing
 * @param {number} place
 * @param {SectionProduct} product
 * @param {number} item
 */
function productRow(editing, place, product, item) {
  const { doc, catalogue } = editing;
  const path = ["sections", place, "products", item];
  const known = catalogue.get(product.platformProductId);
  const name = catalogue.title(product.platformProductId);
  const all = sectionsOf(doc.now)[place]?.products ?? [];
  const row = el("li.product-row", { "data-path": path.join(".") });
  const move = (/** @type {number} */ from, /** @type {number} */ to) =>
    doc.update(["sections", place, "products"], (now) => moved(now, from, to));
  row.append(
    orderTools(row, { id: `product-${place}`, name, place: item, count: all.length, move }),
    picture(known?.imageUrl),
    el("span.product-name", {}, el("span", { text: name }), known && variantsOf(editing, path, product, known)),
    iconButton("close", say("remove", { name }), () => doc.set(path, undefined), {
      id: `remove-product-${place}-${item}`,
    }),
  );
  return row;
}

/**
 * The offered variants of a product: all, or those that are ticked.
 *
 * @param {Editing} editing
 * @param {(string | number)[]} path
 * @param {SectionProduct} product
 * @param {Product} known
 */
function variantsOf({ doc }, path, product, known) {
  if (known.variants.length < 2) return null;
  const all = known.variants.map(({ platformVariantId }) => Number(platformVariantId));
  const chosen = product.variantIds?.length ? product.variantIds : all;
  const tick = (/** @type {number} */ id, /** @type {boolean} */ isOn) => {
    const now = all.filter((each) => (each === id ? isOn : chosen.includes(each)));
    doc.set([...path, "variantIds"], now.length === all.length ? undefined : now);
  };
  const summary =
    chosen.length === all.length
      ? say("all-variants")
      : say("some-variants", { count: chosen.length, all: all.length });
  return el(
    "details.variants",
    { id: `variants-${path.join("-")}` },
    el("summary", { text: summary }),
    el(
      "ul",
      {},
      ...known.variants.map(({ platformVariantId, title }) => {
        const id = Number(platformVariantId);
        const isLast = chosen.length === 1 && chosen[0] === id;
        const input = el("input", {
          id: `variant-${path.join("-")}-${id}`,
          type: "checkbox",
          checked: chosen.includes(id),
          disabled: isLast,
          change: () => tick(id, input.checked),
        });
        return el("li", {}, el("label", {}, input, title || `#${id}`));
      }),
    ),
  );
}
