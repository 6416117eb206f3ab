/** What a bundle offers: the items, answers and subscriptions that it accepts. */

import { answersOf, bareId } from "./selection-lines.js";

/** @import { Accepts, CheckAnswers, CheckItems, ChooseSubscription, Fault, FeesOf, Known } from "./internal.js" */
/** @import { KnownOf, LineTitle, Node, Offer, OfferOf } from "./internal.js" */
/** @import { DetailCode, PersonalisationField, SellingPlan, SubscriptionChoice } from "./wire.js" */
/** @import { Fee } from "./client.js" */

// The code of a required field without an answer. A price is possible all the same.
export const REQUIRED = "required";

const MAX_ITEMS = 200;
const MAX_ANSWERS_BYTES = 20_000;
const MAX_ADDRESS = 2048;
const MAX_EMAIL = 254;
const HTTPS_ADDRESS = /^https:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/u;
// Control characters but line breaks and tabs, and those that reverse the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
const HIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/u;
const NOT_IN_ADDRESSES = "@\\s\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069";
const LABEL = `[^.${NOT_IN_ADDRESSES}]+`;
const EMAIL = new RegExp(`^[^${NOT_IN_ADDRESSES}]{1,64}@${LABEL}(?:\\.${LABEL})+$`, "u");

/** @type {OfferOf} */
export function offerOf(bundle, products, items, nodes) {
  const freeItems = nodes.filter((node) => node.kind === "action" && "type" in node && node.type === "free-item");
  const freeVariants = new Set(freeItems.map((node) => bareId("variantId" in node && node.variantId)));
  const free = items.filter((item) => freeVariants.has(bareId(item.variant))).map((item) => bareId(item.product));
  const named = [...bundle.sections.flatMap((section) => section.products), ...bundle.requiredProducts];
  const ids = new Set([...named.map((one) => one.platformProductId), ...free]);
  const known = products.filter((product) => ids.has(product.platformProductId));
  const variants = known.flatMap((product) => product.variants.map((variant) => ({ ...variant, product })));
  return {
    bundle,
    products: new Map(known.map((product) => [product.platformProductId, product])),
    variants: new Map(variants.map((variant) => [variant.platformVariantId, variant])),
    freeVariants,
    unlisted: new Set(free.filter((id) => !known.some((product) => product.platformProductId === id))),
  };
}

/** @type {KnownOf} */
export function knownOf({ variant }) {
  return /** @type {Known} */ (variant);
}

/** @type {LineTitle} */
export function lineTitle(line) {
  const { product, title } = knownOf(line);
  return product.variants.length > 1 ? `${product.title} (${title})` : product.title;
}

/** @type {CheckItems} */
export function checkItems(offer, items) {
  if (items.length < 1 || items.length > MAX_ITEMS) {
    const message = `Choose at least 1 and at most ${MAX_ITEMS} items; there are ${items.length}.`;
    return [{ path: "products", code: "item_count", message }];
  }
  return items.flatMap(({ variant, product, section }, place) =>
    detailsOf(`products.${place}.`, itemFaults(offer, bareId(variant), bareId(product), section)),
  );
}

/**
 * @template {DetailCode} Code
 * @param {string} path
 * @param {readonly Fault<Code>[]} faults
 */
function detailsOf(path, faults) {
  return faults.map(([where, code, message]) => ({ path: path + where, code, message }));
}

/**
 * The reasons why the bundle does not offer an item; empty if it does.
 *
 * @param {Offer} offer
 * @param {string} variantId
 * @param {string} productId
 * @param {number} sectionId
 * @returns {Fault<DetailCode<"selection_invalid">>[]}
 */
function itemFaults(offer, variantId, productId, sectionId) {
  const { bundle, products, variants, freeVariants, unlisted } = offer;
  const section = bundle.sections.find(({ id }) => id === sectionId);
  if (!section && sectionId !== 0) return [["section", "unknown_section", `This bundle has no section ${sectionId}.`]];
  if (unlisted.has(productId)) return [];
  const product = products.get(productId);
  if (!product) return [["product", "unknown_product", `This bundle does not offer product ${productId}.`]];
  if (variants.get(variantId)?.product !== product) {
    return [["variant", "unknown_variant", `Variant ${variantId} does not belong to ${product.title}.`]];
  }
  /** @param {Parameters<Accepts>[0]} named */
  const isNamed = (named) => accepts(named, variantId, productId);
  if (freeVariants.has(variantId) || bundle.requiredProducts.some(isNamed) || section?.products.some(isNamed))
    return [];
  if (section?.products.some((one) => one.platformProductId === productId)) {
    return [["variant", "variant_not_allowed", `This variant of ${product.title} cannot be chosen here.`]];
  }
  const where = section ? `The section ${section.name}` : "This bundle, outside its sections,";
  return [["section", "not_in_section", `${where} does not offer ${product.title}.`]];
}

/** @type {Accepts} */
export function accepts({ platformProductId, variantIds }, variantId, productId) {
  return platformProductId === productId && (variantIds.length === 0 || variantIds.includes(variantId));
}

/** @type {CheckAnswers} */
export function checkAnswers(fields, items) {
  const answers = items.flatMap((item) => answersOf(item).map(([, answer]) => answer));
  const { length: size } = new TextEncoder().encode(answers.join(""));
  if (size > MAX_ANSWERS_BYTES) {
    const message = `All answers together take ${size} bytes; a request may have at most ${MAX_ANSWERS_BYTES}.`;
    return [{ path: "products", code: "answers_too_long", message }];
  }
  return items.flatMap((item, place) => {
    const faults = answerFaults(fields[bareId(item.product)] ?? [], new Map(answersOf(item)));
    return detailsOf(`products.${place}.personalisation.`, faults);
  });
}

/**
 * @param {readonly PersonalisationField[]} fields
 * @param {ReadonlyMap<string, string>} answers
 * @returns {Fault<DetailCode<"personalisation_invalid">>[]}
 */
function answerFaults(fields, answers) {
  /** @type {Fault<DetailCode<"personalisation_invalid">>[]} */
  const unknown = [...answers.keys()]
    .filter((key) => !fields.some((field) => field.key === key))
    .map((key) => [key, "unknown_field", "This product has no such field."]);
  return [...unknown, ...fields.flatMap((field) => fieldFaults(field, answers.get(field.key)))];
}

/**
 * @param {PersonalisationField} field
 * @param {string | undefined} answer
 * @returns {Fault<DetailCode<"personalisation_invalid">>[]}
 */
function fieldFaults({ key, label, type, required, characterLimit, options }, answer) {
  if (!answer) return required ? [[key, REQUIRED, `${label} is required.`]] : [];
  if (type === "text" && characterLimit !== null && answer.length > characterLimit) {
    return [[key, "too_long", `${label} takes at most ${characterLimit} characters.`]];
  }
  if (type === "dropdown" && !options.includes(answer)) {
    return [[key, "not_offered", `${label} must be one of: ${options.join(", ")}.`]];
  }
  if (type === "checkbox" && answer !== "true") {
    return [[key, "invalid", `${label} must be true, or left out.`]];
  }
  if (type === "image" && !matches(answer, HTTPS_ADDRESS, MAX_ADDRESS)) {
    return [[key, "invalid", `${label} must be the https address of an image.`]];
  }
  const hidden = (type === "text" || type === "image") && HIDDEN.exec(answer);
  if (hidden) {
    const name = hidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return [[key, "invalid_character", `${label} contains the character U+${name}, which cannot be printed.`]];
  }
  return [];
}

/** @type {FeesOf} */
export function feesOf(fields, lines) {
  /** @type {Map<string, Fee>} */
  const fees = new Map();
  for (const { productId, answers, count } of lines) {
    for (const { key, fee } of fields[productId] ?? []) {
      if (!fee || !answers.some(([answered]) => answered === key)) continue;
      const one = `${fee.variantId}/${productId}`;
      fees.set(one, { ...fee, productId, count: count + (fees.get(one)?.count ?? 0) });
    }
  }
  return [...fees.values()];
}

/** @type {ChooseSubscription} */
export function chooseSubscription(plans, choice) {
  const plan = plans?.find(
    (one) => one.groupId === choice?.id && one.frequency === choice.frequency && one.unit === choice.unit,
  );
  return { plan, faults: detailsOf("subscription", choice ? choiceFaults(plans, plan, choice) : missing(plans)) };
}

/**
 * @param {readonly SellingPlan[] | undefined} plans
 * @param {SellingPlan | undefined} plan
 * @param {SubscriptionChoice} choice
 * @returns {Fault<DetailCode<"subscription_invalid">>[]}
 */
function choiceFaults(plans, plan, choice) {
  const { id, frequency, unit, email } = choice;
  if (!plans) return [["", "not_offered", "This bundle offers no subscription."]];
  /** @type {Fault<DetailCode<"subscription_invalid">>[]} */
  const faults = [];
  const group = plans.find((one) => one.groupId === id);
  if (email != null && !matches(email, EMAIL, MAX_EMAIL)) {
    faults.push([".email", "invalid_email", "This is not an e-mail address."]);
  }
  if (!group) faults.push([".id", "unknown_group", `This bundle has no recurring group ${id}.`]);
  else if (!plan) {
    faults.push([
      ".frequency",
      "unknown_option",
      `${group.name} does not offer a delivery ${cadence(frequency, unit)}.`,
    ]);
  }
  return faults;
}

/**
 * @param {number} frequency
 * @param {string} unit
 */
function cadence(frequency, unit) {
  return frequency === 1 ? `every ${unit}` : `every ${frequency} ${unit}s`;
}

/**
 * The faults of a one-time purchase.
 *
 * @param {readonly SellingPlan[] | undefined} plans
 * @returns {Fault<DetailCode<"subscription_invalid">>[]}
 */
function missing(plans) {
  const message = "This bundle is sold by subscription only: choose one of its options.";
  return plans?.some((plan) => plan.required) ? [["", "required", message]] : [];
}

/**
 * Counts white space as the service does: U+001C to U+001F and U+0085 are white space, U+FEFF is not.
 *
 * @param {string} text
 * @param {RegExp} pattern
 * @param {number} maximum
 */
function matches(text, pattern, maximum) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
  return [...text].length <= maximum && pattern.test(text.replace(/[\x1c-\x1f\x85]/g, " ").replaceAll("\ufeff", "_"));
}
