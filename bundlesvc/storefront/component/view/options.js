/** The options of a product, such as size and colour: each choice shows another variant. */

import { lack } from "../selection/slot.js";
import { h, picture, uid } from "./dom.js";

/** @import { ProductOption } from "../../client/client.js" */
/** @import { Session } from "../session.js" */
/** @import { Slot } from "../selection/slot.js" */
/** @import { On, Variant } from "../types.js" */

/**
 * @param {Session} session
 * @param {Slot} slot
 */
export function options(session, slot) {
  const { options: own } = slot.product;
  const valuesOf = (/** @type {Variant} */ { optionValues, title }) => (own.length ? optionValues : [title]);
  const titles = slot.variants.map(({ title }) => title);
  const all = own.length ? own : [{ name: session.say("variant"), values: titles, swatches: {} }];
  const groups = all.map((option, index) => {
    const values = option.values.filter((value) => slot.variants.some((variant) => valuesOf(variant)[index] === value));
    return values.length > 1 && optionGroup(session, slot, { ...option, values, index, valuesOf });
  });
  return h("div.options", { hidden: !groups.some(Boolean) }, groups);
}

/**
 * @param {Session} session
 * @param {Slot} slot
 * @param {Pick<ProductOption, "name" | "values" | "swatches"> & { readonly index: number, readonly valuesOf: (variant: Variant) => readonly string[] }} option
 */
function optionGroup(session, slot, { name, values, swatches, index, valuesOf }) {
  const { say, offer, changed } = session;
  const group = uid();
  const now = () => valuesOf(slot.shown);

  /**
   * The variant that has this value, the current values of all earlier options, and as many of the current values of
   * later options as possible.
   *
   * @param {string} value
   */
  function nearest(value) {
    const wanted = now().with(index, value);
    const alike = (/** @type {Variant} */ variant) => valuesOf(variant).filter((one, at) => one === wanted[at]).length;
    return slot.variants
      .filter((variant) => valuesOf(variant).every((one, at) => at > index || one === wanted[at]))
      .sort((one, other) => alike(other) - alike(one))[0];
  }

  /** @param {On<HTMLInputElement>} event */
  function choose({ target }) {
    slot.show(nearest(target.value));
    changed(offer.nameOf(slot.shown.platformVariantId));
  }

  /** @param {string} value */
  function radio(value) {
    const swatch = swatches[value];
    const missing = () => nearest(value) && lack(nearest(value));
    const set = {
      type: "radio",
      name: group,
      value,
      checked: () => now()[index] === value,
      disabled: () => !nearest(value),
      onchange: choose,
    };
    return h(
      swatch ? "label.swatch" : "label.value",
      { title: swatch && value, "data-missing": () => missing() || null },
      h("input.vh", set),
      swatch && dot(session, swatch),
      h(swatch ? "span.vh" : "span", { text: value }),
      h("span.vh", () => (missing() ? ` ${say(missing())}` : "")),
    );
  }

  const seen = Object.keys(swatches).length > 0 && h("span", () => `: ${now()[index]}`);
  const legend = h("legend", {}, name, seen);
  return h("fieldset.option", {}, legend, h("div.values", {}, values.map(radio)));
}

/**
 * A colour or image for a value. The browser ignores an invalid colour.
 *
 * @param {Session} session
 * @param {ProductOption["swatches"][string]} swatch
 */
function dot(session, { color, imageUrl }) {
  const node = h("span.dot", {}, session.image(imageUrl) && picture("span.dot-picture", session, () => imageUrl));
  node.style.setProperty("background-color", color);
  return node;
}
