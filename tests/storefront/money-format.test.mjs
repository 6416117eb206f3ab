/** Amounts in the platform's money templates. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { formatMoney } from "../../bundlesvc/storefront/client/client.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/money_formats.json", import.meta.url), "utf8"));

for (const [amount, moneyFormat, expected] of vectors) {
  test(`${amount} in ${moneyFormat}`, () => assert.equal(formatMoney(amount, moneyFormat), expected));
}

test("an invalid amount is an error", () => assert.throws(() => formatMoney("twelve", "{{amount}}"), TypeError));
