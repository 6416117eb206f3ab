/** Sentences for shoppers: about faults, limits and tiers. */

import { ruleType } from "../../client/rule-types.js";

/** @import { LimitRule, NextTier } from "../../client/client.js" */
/** @import { Session } from "../session.js" */
/** @import { Quote } from "./quote.js" */
/** @import { Failure, LimitFailure, Variant } from "../types.js" */
/** @import { RuleSubject } from "../../client/internal.js" */

/**
 * The sentence for a fault. A fault without a text of its own results from a change since the bundle was fetched.
 *
 * @param {Session} session
 * @param {Quote} quote
 * @param {Failure} detail
 * @returns {string}
 */
export function explain(session, quote, detail) {
  const { offer, say } = session;
  const { code, path, message } = detail;
  const { platformVariantId, platformProductId } = /** @type {RuleSubject} */ (detail);
  if (code === "limit_not_met") return limitSentence(session, /** @type {LimitFailure} */ (detail));
  if (code === "blocked") return path === "bundle" ? say("fault-not-yet") : message;
  const { slot, variant } = quote.at(path) ?? {};
  const variantId = platformVariantId ?? variant?.platformVariantId;
  const { available, inventoryQuantity: count } = /** @type {Variant} */ (offer.find(variantId)?.variant ?? {});
  const field = slot && session.fields(slot).find(({ key }) => path.endsWith(`.personalisation.${key}`));
  const title = offer.nameOf(variantId, platformProductId);
  const places = { title, count, label: field?.label, limit: field?.characterLimit };
  // Only the service knows that too few units are left, and their number may have changed since.
  const chosen = quote.units.filter((unit) => unit.variant.platformVariantId === variantId).length;
  if (code === "sold_out" && available) return say(count > 0 && count < chosen ? "fault-stock" : "fault-few", places);
  return say(`${field ? "answer" : "fault"}-${code}`, places) || say("changed");
}

/**
 * The sentence for a limit that is not met: "Coffee: Choose at least 3 – 2 more"
 *
 * @param {Session} session
 * @param {LimitFailure} detail
 */
function limitSentence(session, detail) {
  const { say, offer, anyOf } = session;
  const { rule, unit, operation, sectionId, alternatives, actual, missing, platformVariantId, platformProductId } =
    detail;
  const inUnit = amountText(session, unit);
  const limit = alternatives ? anyOf(alternatives.map(inUnit)) : inUnit(detail.limit);
  const sentence = say(`rule-${rule}`, {
    title: offer.nameOf(platformVariantId, platformProductId),
    bound: say(`limit-${operation}`, { limit }),
    limit,
    now: say(missing === "0" ? "nowActual" : "nowMissing", { actual: inUnit(actual), missing: inUnit(missing) }),
  });
  return inSection(session, sectionId, sentence);
}

/**
 * The sentence for a rule, whatever the selection: "Coffee: Choose at least 3." If only one of several rules must be
 * met, the sentence covers all of them.
 *
 * @param {Session} session
 * @param {LimitRule} rule
 */
export function demandSentence(session, rule) {
  const { bundle, say, anyOf } = session;
  const { type, operation, sectionId } = rule;
  const isAlike = (/** @type {LimitRule} */ other) => other.type === type && other.sectionId === sectionId;
  const alike = bundle.limitRules.filter((other) => isAlike(other) && operation === "eq" && other.operation === "eq");
  const inUnit = amountText(session, ruleType(type).unit);
  const limit = anyOf((alike.length ? alike : [rule]).map(({ value }) => inUnit(value)));
  const places = { title: "", bound: say(`limit-${operation}`, { limit }), limit, now: "" };
  const sentence = say(`rule-${type}`, places).replace(/^[:\s]+|[–\s]+$/g, "");
  return inSection(session, sectionId, `${sentence}.`);
}

/**
 * A function that writes the amounts of a limit rule as text.
 *
 * @param {Session} session
 * @param {LimitFailure["unit"]} unit
 * @returns {(amount: string) => string}
 */
function amountText({ bundle, number, money }, unit) {
  switch (unit) {
    case "items":
      return (amount) => number(amount);
    case "money":
      return (amount) => money(amount);
    case "weight":
      return (amount) => `${number(amount)} ${bundle.weightUnit}`;
  }
  throw new TypeError(`Limit rules have no unit ${unit}.`);
}

/**
 * The sentence with the name of its section, if the bundle has several sections.
 *
 * @param {Session} session
 * @param {number | null} sectionId
 * @param {string} sentence
 */
function inSection({ bundle }, sectionId, sentence) {
  const section = bundle.sections.length > 1 && bundle.sections.find(({ id }) => id === sectionId);
  return section ? `${section.name}: ${sentence}` : sentence;
}

/**
 * The sentence for the next tier: "2 more for 20% off", or the merchant's own text; "" without a tier.
 *
 * @param {Session} session
 * @param {NextTier | null} tier
 */
export function tierSentence({ say, number, money }, tier) {
  if (!tier) return "";
  const { type, missing, discount, discountType, customText } = tier;
  const amount = discountType === "percentage" ? number(discount) : money(discount);
  const places = {
    missing: type === "total_price" ? money(missing) : number(missing),
    discount: say(`off-${discountType}`, { amount }),
  };
  return customText || say(type === "bulk_buy" ? "nextTierSame" : "nextTier", places);
}
