/** Amounts in the platform's money templates, and in the style of a language. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { formatMoney, priceFormatter } from "../../bundlesvc/storefront/client/client.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/money_formats.json", import.meta.url), "utf8"));

for (const [amount, moneyFormat, expected] of vectors) {
  test(`${amount} in ${moneyFormat}`, () => assert.equal(formatMoney(amount, moneyFormat), expected));
}

test("an invalid amount is an error", () => assert.throws(() => formatMoney("twelve", "{{amount}}"), TypeError));

const EURO = { currency: "EUR", moneyFormat: "{{amount}}" };

for (const [name, settings, locale, amount, currency, expected] of [
  ["without a template, German", EURO, "de", "9.90", undefined, "9,90 €"],
  ["without a template, English", EURO, "en", "1234.5", undefined, "€1,234.50"],
  ["a template", { ...EURO, moneyFormat: "{{amount}} Euro" }, "de", "9.90", "EUR", "9.90 Euro"],
  ["another currency beside a template", { ...EURO, moneyFormat: "€{{amount}}" }, "en", "9.90", "CHF", "CHF 9.90"],
  ["francs, German", EURO, "de", "9.90", "CHF", "9,90 CHF"],
  ["yen, as variants have them", EURO, "en", "1609.00", "JPY", "¥1,609"],
  ["dinars", EURO, "en", "9.905", "KWD", "KWD 9.905"],
  ["dinars with two decimals", EURO, "en", "9.90", "KWD", "KWD 9.900"],
  ["kronur, which some browsers write with decimals", EURO, "en", "1200", "ISK", "ISK 1,200"],
  ["a shop in yen", { currency: "JPY", moneyFormat: "{{ amount }}" }, "de", "1200.00", undefined, "1.200 ¥"],
  ["more digits than a number has", EURO, "en", "90071992547409.93", undefined, "€90,071,992,547,409.93"],
]) {
  test(`${name}: ${expected}`, () => {
    assert.equal(priceFormatter(settings, locale)(amount, currency).replaceAll("\xa0", " "), expected);
  });
}

test("an amount that is none is an error", () => assert.throws(() => priceFormatter(EURO, "en")("", "CHF"), TypeError));
