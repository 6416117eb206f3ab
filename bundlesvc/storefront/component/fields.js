/** Form fields that several parts have. */

import { h } from "./dom.js";

export const labelled = (label, field, set) => h("label.answer", set, h("span", {}, label), field);

export const emailField = (set) => h("input.field", { type: "email", autocomplete: "email", required: true, ...set });
