/** The web component's sentences about limit rules. */

import { demandSentence, explain } from "../../bundlesvc/storefront/component/selection/sentences.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const WEIGHT = { type: "amount-of-weight", operation: "gte", value: "2", sectionId: null };
const PRICE = { type: "bundle-price", operation: "gte", value: "20.00", sectionId: 1 };
const BOXES = ["4", "6"].map((value) => ({
  ...{ type: "total-number-of-products", operation: "eq", sectionId: null },
  value,
}));

const session = {
  bundle: {
    weightUnit: "kg",
    sections: [
      { id: 1, name: "Tea" },
      { id: 2, name: "Jam" },
    ],
    limitRules: [WEIGHT, PRICE, ...BOXES],
  },
  offer: { nameOf: () => "" },
  say: (key, places) => [key, places?.bound, places?.limit].filter(Boolean).join(" "),
  number: (amount) => amount,
  money: (amount) => `${amount} EUR`,
  anyOf: (texts) => texts.join(" or "),
};

test("each amount is in the unit of its type", () => {
  assert.match(demandSentence(session, WEIGHT), /^rule-amount-of-weight .*2 kg\.$/);
  assert.match(demandSentence(session, PRICE), /^Tea: rule-bundle-price .*20\.00 EUR\.$/);
  assert.match(demandSentence(session, BOXES[0]), /^rule-total-number-of-products .*4 or 6\.$/);
});

test("a type or a unit that is not known does not count as items", () => {
  const unknown = { type: "price-of-one-item", operation: "lte", value: "9.00", sectionId: null };
  assert.throws(() => demandSentence(session, unknown), /price-of-one-item/);
  const detail = { code: "limit_not_met", rule: "length", unit: "metres", limit: "2", actual: "1", missing: "1" };
  assert.throws(() => explain(session, {}, detail), /metres/);
});
