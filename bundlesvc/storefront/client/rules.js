/** The requirements that a selection must meet to be configured. Reports all failures together. */

import { ZERO, add, compare, divide, fromInteger, multiply, parse, subtract, toPlain } from "./decimal.js";
import { accepts, knownOf, lineTitle } from "./offer.js";
import { ruleType } from "./rule-types.js";
import { GRAMS_PER_UNIT, exponent, holds, stepFrom, totalCount } from "./selection-lines.js";

/** @import { CheckRules, CheckVisibility, Line, Measured, Priced, Rule } from "./internal.js" */
/** @import { Decimal } from "./decimal.js" */
/** @import { Bundle, DetailOf, RequiredProduct } from "./wire.js" */

/** @type {Readonly<Record<string, string>>} */
const WORDS = { gt: "more than", gte: "at least", lt: "less than", lte: "at most", eq: "exactly" };

/** @type {CheckRules} */
export function checkRules(bundle, type, lines, conditions, priced, inMarket) {
  return [
    ...checkType(bundle, type),
    ...firsts(lines, (line) => line.productId)
      .filter((line) => knownOf(line).product.status !== "ACTIVE")
      .map((line) => ofProduct(line, "not_active", `${knownOf(line).product.title} is not on sale.`)),
    ...firsts(lines, (line) => line.variantId)
      .filter((line) => !knownOf(line).available)
      .map((line) => ofVariant(line, "sold_out", `${lineTitle(line)} is sold out.`)),
    ...firsts(lines, (line) => line.variantId)
      .filter((line) => inMarket && knownOf(line).availableForSale === false)
      .map((line) => ofVariant(line, "not_sold_in_country", `${lineTitle(line)} is not sold in this country.`)),
    ...lines.flatMap((line) => checkVisibility(line, conditions)),
    ...bundle.requiredProducts.flatMap((required, place) => checkRequired(required, place, priced.lines)),
    ...checkLimitRules(bundle, priced, conditions.hiddenSections),
    ...conditions.blocks.map(({ text }) => ({
      path: "conditions",
      code: /** @type {const} */ ("blocked"),
      message: text,
    })),
  ];
}

/**
 * @param {Bundle} bundle
 * @param {string} type
 * @returns {DetailOf<"rules_not_met">[]}
 */
function checkType(bundle, type) {
  const message = `This bundle is of type ${bundle.type}, not ${type}.`;
  return type === bundle.type ? [] : [{ path: "type", code: "type_mismatch", message }];
}

/** @type {CheckVisibility} */
function checkVisibility(line, { hiddenSections, hiddenProducts }) {
  const { productId, sectionId, first } = line;
  if (hiddenSections.includes(sectionId)) {
    const message = `${lineTitle(line)} is in a section that is hidden for this selection.`;
    return [{ path: `products.${first}`, code: "section_hidden", sectionId, message }];
  }
  const isHidden = hiddenProducts.some(
    (one) => one.productId === productId && (one.sectionId === null || one.sectionId === sectionId),
  );
  return isHidden ? [ofProduct(line, "product_hidden", `${lineTitle(line)} cannot be part of this selection.`)] : [];
}

/**
 * The failure of a required product. `lines` are the lines to be paid for.
 *
 * @param {RequiredProduct} required
 * @param {number} place
 * @param {readonly Line[]} lines
 * @returns {DetailOf<"rules_not_met">[]}
 */
function checkRequired(required, place, lines) {
  const { platformProductId, quantity } = required;
  const accepted = lines.filter((line) => accepts(required, line.variantId, line.productId));
  const actual = toPlain(totalCount(accepted));
  const missing = quantity - Number(actual);
  if (missing <= 0) return [];
  const message = `A required product is missing: ${missing} more needed.`;
  const counts = { limit: String(quantity), actual, missing: String(missing) };
  return [{ path: `requiredProducts.${place}`, code: "required_missing", platformProductId, ...counts, message }];
}

/**
 * @param {Line} line
 * @param {"not_active" | "product_hidden"} code
 * @param {string} message
 * @returns {DetailOf<"rules_not_met">}
 */
function ofProduct({ first, productId }, code, message) {
  return { path: `products.${first}`, code, platformProductId: productId, message };
}

/**
 * @param {Line} line
 * @param {"sold_out" | "not_sold_in_country"} code
 * @param {string} message
 * @returns {DetailOf<"rules_not_met">}
 */
function ofVariant({ first, variantId }, code, message) {
  return { path: `products.${first}`, code, platformVariantId: variantId, message };
}

/**
 * The first line with each key, in the order of the selection.
 *
 * @param {readonly Line[]} lines
 * @param {(line: Line) => string} key
 */
function firsts(lines, key) {
  const seen = new Set();
  return lines.filter((line) => !seen.has(key(line)) && seen.add(key(line)));
}

/**
 * The failures of the rules that are not met, in the order of the bundle's list. Rules of hidden sections do not apply.
 *
 * @param {Bundle} bundle
 * @param {Priced} priced
 * @param {readonly number[]} hiddenSections
 */
function checkLimitRules({ limitRules, weightUnit }, priced, hiddenSections) {
  /** @type {Map<string | number, Rule[]>} */
  const groups = new Map();
  limitRules.forEach((written, place) => {
    const { type, operation, sectionId, value } = written;
    if (hiddenSections.includes(sectionId ?? 0)) return;
    const grams = ruleType(type).unit === "weight" ? GRAMS_PER_UNIT.get(weightUnit) : undefined;
    const limit = parse(value || "0");
    /** @type {Rule} */
    const rule = { ...written, place, grams, limit: grams ? multiply(limit, grams) : limit };
    // Of the `eq` rules with the same type and scope, one must be met.
    const key = operation === "eq" && !ruleType(type).isMultiple ? `${type}/${sectionId}` : place;
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  });
  return [...groups.values()]
    .flatMap((rules) => checkAlternatives(rules, priced, weightUnit))
    .sort((one, other) => one.place - other.place)
    .map(({ detail }) => detail);
}

/**
 * The failures of rules of which only one must be met, as reported by the rule that is nearest to being met.
 *
 * @param {readonly Rule[]} rules
 * @param {Priced} priced
 * @param {string} weightUnit
 */
function checkAlternatives(rules, priced, weightUnit) {
  const measured = measure(rules[0], priced);
  const failures = rules.map((rule) => ({ rule, failed: measured.filter((one) => !isMet(rule, one.actual)) }));
  if (failures.some(({ failed }) => failed.length === 0)) return [];
  const distances = failures.map(({ rule, failed }) =>
    failed.map(({ actual }) => distance(actual, rule.limit)).reduce(add, ZERO),
  );
  const nearest = distances.reduce((best, one, place) => (compare(one, distances[best]) < 0 ? place : best), 0);
  const { rule, failed } = failures[nearest];
  const alternatives = rules.length > 1 ? rules.map((one) => one.value) : null;
  return (alternatives ? failed.slice(0, 1) : failed).map((one) => ({
    place: rule.place,
    detail: detailOf(rule, one, alternatives, priced.pricing.currency, weightUnit),
  }));
}

/**
 * @param {Rule} rule
 * @param {Priced} priced
 */
function measure({ type, sectionId }, priced) {
  const lines = priced.lines.filter((line) => sectionId === null || line.sectionId === sectionId);
  return ruleType(type).measure(lines, sectionId, priced);
}

/**
 * @param {Rule} rule
 * @param {Decimal} actual
 */
function isMet(rule, actual) {
  if (!ruleType(rule.type).isMultiple) return holds(actual, rule.operation, rule.limit);
  const step = multipleOf(rule.limit);
  return step === 0n || (actual.units > 0n && actual.units % step === 0n);
}

/**
 * The smallest whole number of items that is a multiple of the value; 0 means that there is no rule.
 *
 * @param {Decimal} value
 */
function multipleOf({ units, scale }) {
  let [divisor, rest] = /** @type {[bigint, bigint]} */ ([units, 10n ** BigInt(scale)]);
  while (rest) [divisor, rest] = [rest, divisor % rest];
  return units / divisor;
}

/**
 * @param {Decimal} one
 * @param {Decimal} other
 */
function distance(one, other) {
  return compare(one, other) < 0 ? subtract(other, one) : subtract(one, other);
}

/**
 * The amount to add to meet the rule; 0 when there is too much.
 *
 * @param {Rule} rule
 * @param {Decimal} actual
 * @param {string} currency
 */
function missing(rule, actual, currency) {
  const { type, operation, limit } = rule;
  if (ruleType(type).isMultiple) return fromInteger(multipleOf(limit) - (actual.units % multipleOf(limit)));
  const canRise = operation === "gt" || operation === "gte" || operation === "eq";
  return canRise && compare(actual, limit) <= 0 ? subtract(target(rule, currency), actual) : ZERO;
}

/**
 * The smallest amount that meets the rule: for `gt`, one step beyond the limit.
 *
 * @param {Rule} rule
 * @param {string} currency
 */
function target({ type, operation, limit, grams }, currency) {
  const beyond = operation === "gt";
  if (grams) return beyond ? add(limit, fromInteger(1)) : limit;
  return stepFrom(limit, ruleType(type).unit === "money" ? exponent(currency) : 0, beyond);
}

/**
 * @param {Rule} rule
 * @param {Measured} measured
 * @param {readonly string[] | null} alternatives
 * @param {string} currency
 * @param {string} weightUnit
 * @returns {DetailOf<"rules_not_met">}
 */
function detailOf(rule, { actual, subject = "", names }, alternatives, currency, weightUnit) {
  const { type, operation, sectionId, value, place, grams } = rule;
  const { unit } = ruleType(type);
  /** @param {Decimal} number */
  const inUnit = (number) => toPlain(grams ? divide(number, grams, 3) : number);
  const now = inUnit(actual);
  return {
    path: `limitRules.${place}`,
    code: "limit_not_met",
    rule: type,
    unit,
    operation,
    sectionId,
    limit: value,
    actual: now,
    missing: inUnit(missing(rule, actual, currency)),
    ...names,
    ...(alternatives && { alternatives }),
    message: sentence(rule, subject, alternatives, now, unit === "weight" ? weightUnit : currency),
  };
}

/**
 * @param {Rule} rule
 * @param {string} subject
 * @param {readonly string[] | null} alternatives
 * @param {string} actual
 * @param {string} unit
 */
function sentence({ type, operation, value, sectionId }, subject, alternatives, actual, unit) {
  const where = sectionId === null ? "the bundle" : "this section";
  const row = ruleType(type);
  const exact = alternatives && `exactly ${alternatives.slice(0, -1).join(", ")} or ${alternatives.at(-1)}`;
  const wanted = exact ?? (row.isMultiple ? value : `${WORDS[operation]} ${value}`);
  return row.sentence({ where, wanted, unit, subject, actual });
}
