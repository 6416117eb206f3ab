/** Computes what the service would return for a selection: the same checks in the same order, without a request (client.d.ts). */

import { outcomeOf } from "./condition-graph.js";
import { checkRules } from "./rules.js";
import { REQUIRED, checkAnswers, checkItems, chooseSubscription, feesOf, offerOf } from "./offer.js";
import { presentmentOf } from "./presentment.js";
import { nextTier, priceSelection } from "./pricing.js";
import { linesOf, withoutAnswers } from "./selection-lines.js";

/** @import { FeaturesOf, FirstRefusal } from "./internal.js" */
/** @import { Refusal } from "./client.js" */

const MAX_DETAILS = 100;

/** @type {typeof import("./client.js").evaluateSelection} */
export function evaluateSelection(bundle, products, selection, context) {
  const { currency, country } = context;
  const { items, type = bundle.type, subscription } = selection;
  const { nodes, fields, plans } = featuresOf(bundle, context);
  const { plan, faults } = chooseSubscription(plans, subscription);
  const offer = offerOf(bundle, products, items, nodes);
  const lines = linesOf({ items, variants: offer.variants }, { country });
  const facts = { weightUnit: bundle.weightUnit, country, subscribed: Boolean(plan) };
  const outcome = outcomeOf(nodes, lines, facts);
  const { conditions } = outcome;
  const unlisted = lines.filter((line) => offer.unlisted.has(line.productId));
  const notOffered = checkItems(offer, items);
  const isKnown = notOffered.length === 0 && unlisted.length === 0;
  const saving = plan?.savingPercent ?? "0";
  const priced = isKnown ? priceSelection(bundle.discount, outcome, currency, saving) : null;
  const answers = checkAnswers(fields, items);
  const isPriced = answers.every(({ code }) => code === REQUIRED) && (plan || !subscription);
  return {
    pricing: priced && isPriced ? priced.pricing : null,
    presentment: country && priced && isPriced ? presentmentOf(outcome, priced, saving) : null,
    refusal: firstRefusal([
      ["selection_invalid", notOffered],
      ["personalisation_invalid", priced ? answers : []],
      ["subscription_invalid", priced ? faults : []],
      ["rules_not_met", priced ? checkRules(bundle, type, lines, conditions, priced, Boolean(country)) : []],
    ]),
    conditions,
    nextTier: conditions.discount ? null : nextTier(bundle.discount, withoutAnswers(outcome.paid), currency),
    fees: feesOf(fields, lines),
    unlisted: [...new Set(unlisted.map((line) => line.variantId))],
  };
}

/** @type {FeaturesOf} */
function featuresOf({ conditionsEngineNodes, personalisation, sellingPlans }, { activeFeatures }) {
  /** @param {string} feature */
  const has = (feature) => activeFeatures?.includes(feature) ?? true;
  return {
    nodes: (has("conditions") && conditionsEngineNodes) || [],
    fields: (has("personalisation") && personalisation) || {},
    plans: has("subscriptions") ? sellingPlans : undefined,
  };
}

/** @type {FirstRefusal} */
function firstRefusal(checks) {
  const [code, details] = checks.find(([, found]) => found.length > 0) ?? [];
  return code && details ? /** @type {Refusal} */ ({ code, details: details.slice(0, MAX_DETAILS) }) : null;
}

/** @type {typeof import("./client.js").requestBody} */
export function requestBody(bundle, selection, { country }, evaluation) {
  const { items, type = bundle.type, subscription } = selection;
  const { discount, partial } = evaluation?.conditions ?? {};
  // The service may be able to run nodes that this version cannot.
  const isSure = discount && !partial;
  return {
    type,
    products: items,
    ...(country && { countryCode: country }),
    ...(subscription && { subscription }),
    ...(isSure && { bundleContent: { conditionsDiscount: { type: discount.type, value: discount.value } } }),
  };
}

/** @type {typeof import("./client.js").shownPrice} */
export function shownPrice({ pricing, presentment }) {
  if (presentment) return { expectedPresentment: presentment.discountedPrice };
  return pricing ? { expectedPrice: pricing.discountedPrice } : {};
}
