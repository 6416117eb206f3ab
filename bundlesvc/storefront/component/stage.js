/** The frame of what the element shows: which template, in which language. */

import { put } from "./dom.js";

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/i;

/**
 * @param {HTMLElement} stage
 * @param {string | null} template
 * @param {string | undefined} locale
 */
export function furnish(stage, template, locale) {
  put(stage, "data-template", template === "compact" ? template : "default");
  put(stage, "lang", locale);
  put(stage, "dir", RIGHT_TO_LEFT.test(/** @type {string} */ (locale)) ? "rtl" : "ltr");
}
