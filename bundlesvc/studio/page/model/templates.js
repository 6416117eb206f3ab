/** Templates: kinds of bundles that shops sell. A few answers are enough to create a bundle that can be bought. */

import { sayIn } from "../words/words.js";

/** @import { Bundle, Field, LimitRule, OwnProduct, PlanOption, Product, Section } from "../types.js" */

/**
 * @typedef {{
 *   name: string, products: Product[], gift: Product[], count: number, percent: number, price: string, from: string,
 *   tiers: { value: string, discount: string }[], plans: PlanOption[], label: string, limit: number,
 * }} Answers
 */
/** @typedef {{ key: keyof Answers, kind: "text" | "count" | "percent" | "money" | "products" | "product" | "tiers" | "plans", label: string, hint: string, initial: any }} Question */
/** @typedef {Omit<Bundle, "id">} NewBundle */
/** @typedef {{ name: string, icon: import("../dom.js").IconName, questions: Question[], features: string[], make: (answers: Answers, locale: string) => Partial<NewBundle> }} Template */

/** @type {Question} */
const PRODUCTS = { key: "products", kind: "products", label: "ask-products", hint: "ask-products-hint", initial: [] };

/** @type {(initial: string) => Question} */
const named = (initial) => ({ key: "name", kind: "text", label: "ask-name", hint: "ask-name-hint", initial });

/** @type {Readonly<Record<string, Template>>} */
export const TEMPLATES = {
  box: {
    name: "box",
    icon: "box",
    features: [],
    questions: [
      named("new-box"),
      PRODUCTS,
      { key: "count", kind: "count", label: "ask-count", hint: "ask-count-hint", initial: 6 },
      { key: "percent", kind: "percent", label: "ask-percent", hint: "ask-percent-hint", initial: 10 },
    ],
    make: ({ products, count, percent }, locale) => ({
      discount: { type: "percentage", value: amount(percent) },
      sections: [section(1, sayIn(locale, "new-section"), products)],
      limitRules: [total("eq", count)],
    }),
  },
  more: {
    name: "more",
    icon: "percent",
    features: [],
    questions: [
      named("new-more"),
      PRODUCTS,
      {
        key: "tiers",
        kind: "tiers",
        label: "ask-tiers",
        hint: "ask-tiers-hint",
        initial: [
          { value: "2", discount: "5" },
          { value: "4", discount: "10" },
          { value: "6", discount: "15" },
        ],
      },
      { key: "count", kind: "count", label: "ask-most", hint: "ask-most-hint", initial: 24 },
    ],
    make: ({ products, tiers, count }, locale) => ({
      discount: {
        type: "percentage",
        value: "0.00",
        flatOrTiered: "tiered",
        operator: "max",
        tiers: tiers.map(({ value, discount }) => ({
          type: "total_products",
          operation: "gte",
          value,
          discount: amount(discount),
        })),
      },
      sections: [section(1, sayIn(locale, "new-section"), products)],
      limitRules: [total("gte", 1), total("lte", count)],
    }),
  },
  set: {
    name: "set",
    icon: "set",
    features: [],
    questions: [
      named("new-set"),
      PRODUCTS,
      { key: "count", kind: "count", label: "ask-count", hint: "ask-count-hint", initial: 3 },
      { key: "price", kind: "money", label: "ask-price", hint: "ask-price-hint", initial: "" },
    ],
    make: ({ products, count, price }, locale) => ({
      discount: { type: "price", value: amount(price) },
      sections: [section(1, sayIn(locale, "new-section"), products)],
      limitRules: [
        total("eq", count),
        { type: "number-of-different-products", operation: "gte", value: String(Math.min(count, products.length)) },
      ],
    }),
  },
  subscription: {
    name: "subscription",
    icon: "repeat",
    features: ["subscriptions"],
    questions: [
      named("new-subscription"),
      PRODUCTS,
      { key: "count", kind: "count", label: "ask-least", hint: "ask-least-hint", initial: 2 },
      {
        key: "plans",
        kind: "plans",
        label: "ask-plans",
        hint: "ask-plans-hint",
        initial: [
          { frequency: 2, unit: "week", discount: "10" },
          { frequency: 1, unit: "month", discount: "5" },
        ],
      },
    ],
    make: ({ products, count, plans }, locale) => ({
      sections: [section(1, sayIn(locale, "new-section"), products)],
      limitRules: [total("gte", count)],
      subscription: {
        mode: "optional",
        groups: [
          {
            id: 1,
            name: sayIn(locale, "new-plans"),
            options: plans.map(({ frequency, unit, discount }) => ({
              frequency,
              unit,
              discount: amount(discount ?? 0),
            })),
          },
        ],
      },
    }),
  },
  gift: {
    name: "gift",
    icon: "gift",
    features: ["conditions"],
    questions: [
      named("new-gift"),
      PRODUCTS,
      { key: "from", kind: "money", label: "ask-from", hint: "ask-from-hint", initial: "50.00" },
      { key: "gift", kind: "product", label: "ask-gift", hint: "ask-gift-hint", initial: [] },
    ],
    make: ({ products, from, gift }, locale) => ({
      layout: "multiple-sections",
      sections: [
        section(1, sayIn(locale, "new-section"), products),
        section(2, sayIn(locale, "new-gift-section"), gift, products.length),
      ],
      limitRules: [
        { ...total("gte", 1), sectionId: 1 },
        { ...total("lte", 1), sectionId: 2 },
      ],
      conditions: [
        { id: "enough", kind: "condition", type: "total-price", operation: "gte", value: amount(from), sectionId: 1 },
        {
          id: "gift",
          kind: "action",
          type: "free-item",
          when: "enough",
          variantId: gift[0]?.variants[0]?.platformVariantId ?? "",
          quantity: 1,
        },
        { id: "hint", kind: "action", type: "message", when: "enough", text: sayIn(locale, "new-gift-text") },
      ],
    }),
  },
  personal: {
    name: "personal",
    icon: "pen",
    features: ["personalisation"],
    questions: [
      named("new-personal"),
      { key: "gift", kind: "product", label: "ask-personal", hint: "ask-personal-hint", initial: [] },
      { key: "label", kind: "text", label: "ask-label", hint: "ask-label-hint", initial: "new-label" },
      { ...PRODUCTS, label: "ask-with", hint: "ask-with-hint" },
    ],
    make: ({ gift, label, products }, locale) => ({
      layout: "multiple-sections",
      sections: [
        section(1, gift[0]?.title ?? "", gift),
        section(2, sayIn(locale, "new-with-section"), products, gift.length),
      ],
      limitRules: [
        { ...total("eq", 1), sectionId: 1 },
        { ...total("gte", 1), sectionId: 2 },
      ],
      personalisation: { [gift[0]?.platformProductId ?? ""]: [textField(label)] },
    }),
  },
};

/** @param {string} operation @param {number} count @returns {LimitRule} */
function total(operation, count) {
  return { type: "total-number-of-products", operation, value: String(count) };
}

/** @param {string} label @returns {Field} */
export function textField(label) {
  return { key: slug(label) || "text", label, type: "text", required: true, characterLimit: 20 };
}

/**
 * @param {number} id
 * @param {string} name
 * @param {readonly Product[]} products
 * @param {number} [after] how many products the sections before have
 * @returns {Section}
 */
function section(id, name, products, after = 0) {
  const offered = products.map(({ platformProductId }, place) => ({
    bundleItemId: after + place + 1,
    platformProductId: Number(platformProductId),
  }));
  return { id, name, products: offered };
}

/** The amount with two decimal places, as the service stores it. @param {string | number} number */
export function amount(number) {
  return Number(number).toFixed(2);
}

/** The text in a form that can be part of an address. @param {string} text */
export function slug(text) {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replaceAll("ß", "ss")
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}

/**
 * The bundle of a template, and the product that it is sold as.
 *
 * @param {Template} template
 * @param {Answers} answers
 * @param {string} locale of the shop
 * @param {Product | null} own the product of a live shop that the bundle is sold as; null to make one
 * @returns {{ bundle: NewBundle, product: (OwnProduct & Record<string, unknown>) | null }}
 */
export function bundleOf(template, answers, locale, own) {
  const product = own ? null : productFor(answers.name);
  const pictures = [...answers.gift, ...answers.products].map(({ imageUrl }) => imageUrl).filter(Boolean);
  const bundle = {
    name: answers.name,
    type: "native",
    published: true,
    platformProductId: product?.id ?? Number(own?.platformProductId),
    parentVariantId: product?.variants?.[0]?.id ?? Number(own?.variants[0]?.platformVariantId),
    ...(pictures[0] ? { imageUrl: pictures[0] } : {}),
    ...template.make(answers, locale),
  };
  return { bundle, product };
}

/**
 * The product that a bundle is sold as. The checkout computes its price from the contents of the bundle.
 *
 * @param {string} title
 * @returns {OwnProduct & Record<string, unknown>}
 */
function productFor(title) {
  const id = Date.now() * 1000 + Math.floor(Math.random() * 1000);
  return { id, title, handle: `${slug(title)}-${id % 100000}`, status: "ACTIVE", variants: [{ id, price: "0.00" }] };
}
