/** Form fields that several parts of the component use. */

import { h } from "./dom.js";

/** @import { Child, Settings } from "../types.js" */

/**
 * @param {Child | readonly Child[]} label
 * @param {HTMLElement} field
 * @param {Settings<HTMLLabelElement>} [set]
 * @returns {HTMLElement}
 */
export const labelled = (label, field, set) => h("label.answer", set, h("span", {}, label), field);

/** @param {Settings<HTMLInputElement>} [set] */
export const emailField = (set) => h("input.field", { type: "email", autocomplete: "email", required: true, ...set });
