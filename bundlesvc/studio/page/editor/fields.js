/**
 * Fields of the editor. Each has a label, an optional line of explanation, and space for the linter's findings about
 * the part that it edits.
 */

import { el } from "../dom.js";

/** @import { Child } from "../dom.js" */
/** @import { BundleDocument } from "../model/document.js" */
/** @import { Step } from "../model/plain.js" */

/**
 * @typedef {{ path: readonly Step[], label: string, hint?: string, isBare?: boolean }} FieldOptions `isBare`: the label is for
 *   screen readers only, because the sentence around the field says it
 */

/** The id of the field for a part. @param {readonly Step[]} path */
export function idOf(path) {
  return `f-${path.join("-")}`;
}

/**
 * A field: a control with its label and explanation.
 *
 * @param {FieldOptions} options
 * @param {HTMLElement} control
 */
export function field({ path, label, hint, isBare }, control) {
  const id = idOf(path);
  control.id = id;
  if (isBare) {
    control.setAttribute("aria-label", label);
    return el("span.bare", { "data-path": path.join(".") }, control);
  }
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return el(
    "div.field",
    { "data-path": path.join(".") },
    el("label", { for: id, text: label }),
    hint && el("p.hint", { id: `${id}-hint`, text: hint }),
    control,
  );
}

/**
 * @param {BundleDocument} doc
 * @param {FieldOptions & { isLong?: boolean, placeholder?: string }} options
 */
export function textField(doc, options) {
  const { path, isLong, placeholder } = options;
  const input = el(isLong ? "textarea" : "input", {
    type: isLong ? null : "text",
    rows: isLong ? 3 : null,
    placeholder,
    value: doc.get(...path) ?? "",
    input: () => doc.set(path, input.value || undefined, { isTyped: true }),
  });
  return field(options, input);
}

/**
 * A field for a number. A whole number (`isWhole`) is stored as a number, and any other number as text; an amount
 * (`isAmount`) is stored with two decimal places.
 *
 * @param {BundleDocument} doc
 * @param {FieldOptions & { isWhole?: boolean, isAmount?: boolean, min?: number, max?: number, unit?: string, isOptional?: boolean, then?: () => void }} options
 */
export function numberField(doc, options) {
  const { path, isWhole, isAmount, min = 0, max, unit, isOptional, then } = options;
  const shown = doc.get(...path);
  const input = el("input.short", {
    type: "number",
    inputmode: isWhole ? "numeric" : "decimal",
    min,
    max,
    step: isWhole ? 1 : "any",
    value: isAmount && shown !== undefined ? String(Number(shown)) : (shown ?? ""),
    input: () => {
      const text = input.value;
      const value = isWhole && text ? Number(text) : isAmount && text ? Number(text).toFixed(2) : text;
      if (text === "" && !isOptional) return; // what is being typed is not a number yet
      doc.set(path, text === "" ? undefined : value, { isTyped: true });
      then?.();
    },
  });
  if (!unit) return field(options, input);
  const made = field(options, input);
  const wrapped = el("span.with-unit", {});
  input.replaceWith(wrapped);
  wrapped.append(input, el("span.soft", { text: unit }));
  return made;
}

/**
 * A field for a local time in the shop's time zone.
 *
 * @param {BundleDocument} doc
 * @param {FieldOptions} options
 */
export function timeField(doc, options) {
  const input = el("input", {
    type: "datetime-local",
    value: doc.get(...options.path) ?? "",
    input: () => doc.set(options.path, input.value || undefined, { isTyped: true }),
  });
  return field(options, input);
}

/**
 * @param {BundleDocument} doc
 * @param {FieldOptions & { choices: readonly (readonly [string, string])[], initial?: string, read?: (value: string) => unknown, choose?: (value: string) => void }} options
 *   `choices`: values with their texts. `read` makes what is stored of a value.
 */
export function selectField(doc, options) {
  const { path, choices, initial = "", read = (value) => value, choose } = options;
  const now = String(doc.get(...path) ?? initial);
  const select = el(
    "select",
    { change: () => (choose ? choose(select.value) : doc.set(path, read(select.value))) },
    ...choices.map(([value, text]) => el("option", { value, text, selected: value === now })),
  );
  return field(options, select);
}

/**
 * @param {BundleDocument} doc
 * @param {FieldOptions & { isOn?: boolean }} options `isOn`: the value where none is stored
 */
export function checkField(doc, options) {
  const { path, label, hint, isOn = false } = options;
  const id = idOf(path);
  const input = el("input", {
    id,
    type: "checkbox",
    checked: doc.get(...path) ?? isOn,
    "aria-describedby": hint ? `${id}-hint` : null,
    change: () => doc.set(path, input.checked),
  });
  return el(
    "div.field.check",
    { "data-path": path.join(".") },
    el("label", { for: id }, input, el("span", { text: label })),
    hint && el("p.hint", { id: `${id}-hint`, text: hint }),
  );
}

/**
 * A sentence with blanks: placeholders of a text, such as "{count}", are filled with fields.
 *
 * @param {string} text
 * @param {Readonly<Record<string, Child>>} blanks
 */
export function sentence(text, blanks) {
  const parts = text.split(/\{(\w+)\}/);
  return el(
    "span.sentence",
    {},
    ...parts.map((part, place) => (place % 2 ? blanks[part] : part && el("span", { text: part.trim() }))),
  );
}
