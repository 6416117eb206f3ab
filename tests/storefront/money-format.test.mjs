/** Amounts in the platform's money templates. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { formatMoney } from "../../bundlesvc/storefront/client/client.js";

for (const [amount, moneyFormat, expected] of [
  ["1134.65", "€{{amount}}", "€1,134.65"],
  ["1134.65", "{{ amount_no_decimals }} kr", "1,135 kr"],
  ["1134.65", "{{amount_with_comma_separator}} €", "1.134,65 €"],
  ["1134.50", "{{amount_no_decimals_with_comma_separator}}", "1.135"],
  ["1134.65", "CHF {{amount_with_apostrophe_separator}}", "CHF 1'134.65"],
  ["1134.65", "{{amount_no_decimals_with_space_separator}}", "1 135"],
  ["1134.65", "{{amount_with_space_separator}}", "1 134,65"],
  ["1134.65", "{{amount_with_period_and_space_separator}}", "1 134.65"],
  ["1234567.80", "{{amount}}", "1,234,567.80"],
  ["999.999", "{{amount}}", "1,000.00"],
  ["0.05", "{{amount}}", "0.05"],
  ["500.00", "¥{{amount_no_decimals}}", "¥500"],
  ["-1234.50", "€{{amount}}", "€-1,234.50"],
  ["9007199254740993.25", "{{amount}}", "9,007,199,254,740,993.25"],
  ["12.00", '<span class="money">£{{amount}}</span> <b>GBP</b>', "£12.00 GBP"],
  ["12.00", "&pound;{{amount}}&nbsp;&#8369;&#x20AC;&amp;&unknown;", "£12.00\u00a0₱€&&unknown;"],
  ["12.00", "&lt;b&gt;{{amount}}", "<b>12.00"],
  ["12.00", "{{amount_of_tomorrow}}", "12.00"],
]) {
  test(`${amount} in ${moneyFormat}`, () => assert.equal(formatMoney(amount, moneyFormat), expected));
}

test("an invalid amount is an error", () => assert.throws(() => formatMoney("twelve", "{{amount}}"), TypeError));
