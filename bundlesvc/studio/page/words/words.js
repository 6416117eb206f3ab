/** The texts of the studio, in the chosen language or, if none was chosen, in the browser's. */

import { DE } from "./de.js";
import { EN } from "./en.js";

/** @typedef {keyof typeof EN} Key */

/** @type {Readonly<Record<string, Readonly<Record<Key, string>>>>} */
const WORDS = { en: EN, de: DE };
const CHOICE = "bundlesvc-studio-language";

let chosen = localStorage.getItem(CHOICE) ?? (navigator.language.startsWith("de") ? "de" : "en");

/** The language of the page: "en" or "de". */
export function language() {
  return chosen;
}

export function chooseLanguage(/** @type {string} */ tag) {
  chosen = tag in WORDS ? tag : "en";
  localStorage.setItem(CHOICE, chosen);
}

/**
 * The text for a key with its placeholders filled in; placeholders without a value stay, such as "{count}".
 *
 * @param {Key} key
 * @param {Readonly<Record<string, string | number>>} [places]
 */
export function say(key, places = {}) {
  return WORDS[chosen]?.[key].replace(/\{(\w+)\}/g, (_, name) => String(places[name] ?? `{${name}}`)) ?? key;
}

/**
 * The text for a key in a language of a shop; in English when the studio does not have that language.
 *
 * @param {string} tag
 * @param {Key} key
 */
export function sayIn(tag, key) {
  return (WORDS[tag.split("-")[0] ?? ""] ?? EN)[key];
}

/**
 * The text for a key that ends in a code; the code itself when it has no text.
 *
 * @param {string} family
 * @param {string} code
 * @param {Readonly<Record<string, string | number>>} [places]
 */
export function sayOf(family, code, places) {
  const key = /** @type {Key} */ (`${family}-${code}`);
  return key in EN ? say(key, places) : code;
}

/**
 * A number with its noun: "1 product", "2 products".
 *
 * @param {number} number
 * @param {"product" | "section" | "change" | "finding" | "field" | "rule" | "tier" | "text" | "row" | "condition" | "plan" | "arm" | "day" | "bundle" | "error" | "warning" | "note"} thing
 */
export function counted(number, thing) {
  return say(number === 1 ? `one-${thing}` : `many-${thing}`, { number: number.toLocaleString(chosen) });
}
