/** The language and the country that a shopper chooses: in the header, or in the footer on phones. */

import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./types.js").Shop} Shop */

export class Preferences {
  #place;
  #address;
  /** The selects, by the name of the state value that each sets. @type {Record<string, HTMLSelectElement>} */
  #selects = {};
  #locale = "";

  /**
   * @param {Element} place
   * @param {Address} address
   */
  constructor(place, address) {
    this.#place = place;
    this.#address = address;
  }

  /** Draws both selects in the current language. A select that has the focus keeps it. */
  draw(/** @type {Shop} */ shop) {
    const focused = Object.keys(this.#selects).find((name) => this.#selects[name] === document.activeElement);
    this.#locale = shop.locale;
    this.#selects = {
      country: this.#select("country", countriesOf(shop, shop.locale, say("elsewhere"))),
      lang: this.#select("lang", Object.fromEntries(shop.languages.map(languageOf))),
    };
    const { country, lang } = this.#selects;
    this.#place.replaceChildren(
      h("label", {}, h("span", { text: say("country") }), country),
      h("label", {}, h("span", { text: say("language") }), lang),
    );
    if (focused) this.#selects[focused].focus();
  }

  /** Shows the current state. */
  update() {
    const { country, lang } = this.#address.state;
    show(this.#selects.country, country);
    show(this.#selects.lang, this.#offers(lang) ? lang : this.#locale);
  }

  #offers(/** @type {string} */ lang) {
    return [...this.#selects.lang.options].some(({ value }) => value === lang);
  }

  #select(/** @type {string} */ name, /** @type {Readonly<Record<string, string>>} */ choices) {
    const options = Object.entries(choices).map(([value, text]) => h("option", { value, text }));
    const select = h("select", { change: () => this.#address.set({ [name]: select.value }) }, ...options);
    return select;
  }
}

/** Shows a value, and adds it to the list if it is missing, as a country in the address may be. */
function show(/** @type {HTMLSelectElement} */ select, /** @type {string} */ value) {
  select.value = value;
  if (select.value === value) return;
  select.append(h("option", { value, text: value }));
  select.value = value;
}

/**
 * The countries to choose from: one for each of the shop's markets, and one for all others, where shoppers pay in the
 * shop's currency.
 *
 * @param {Shop} shop
 * @param {string} locale
 * @param {string} others what the other countries are called
 */
export function countriesOf({ countries, settings }, locale, others) {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  /** @type {Record<string, string>} */
  const choices = { "": `${others} (${settings.currency})` };
  for (const { code, currency } of countries) choices[code] = `${names.of(code)} (${currency})`;
  return choices;
}

/** The tag of a language, and the name of the language in that language. */
function languageOf(/** @type {string} */ tag) {
  return [tag, new Intl.DisplayNames(tag, { type: "language" }).of(tag)];
}
