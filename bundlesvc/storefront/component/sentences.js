/** Sentences for shoppers: about faults, limits and tiers. */

/** The sentence for a fault. One without a text of its own is due to a change since the bundle was read. */
export function explain(session, quote, detail) {
  const { offer, say } = session;
  const { code, path, message } = detail;
  if (code === "limit_not_met") return limitSentence(session, detail);
  if (code === "blocked") return path === "bundle" ? say("fault-not-yet") : message;
  const { slot, variant } = quote.at(path) ?? {};
  const variantId = detail.platformVariantId ?? variant?.platformVariantId;
  const { available, inventoryQuantity: count } = offer.find(variantId)?.variant ?? {};
  const field = slot && session.fields(slot).find(({ key }) => path.endsWith(`.personalisation.${key}`));
  const title = offer.nameOf(variantId, detail.platformProductId);
  const places = { title, count, label: field?.label, limit: field?.characterLimit };
  // Only the service knows that too few are left; their number may have changed since.
  const chosen = quote.units.filter((unit) => unit.variant.platformVariantId === variantId).length;
  if (code === "sold_out" && available) return say(count > 0 && count < chosen ? "fault-stock" : "fault-few", places);
  return say(`${field ? "answer" : "fault"}-${code}`, places) || say("changed");
}

/** "Coffee: Choose at least 3 – 2 more" */
function limitSentence({ bundle, offer, say, number, money, anyOf }, detail) {
  const { rule, unit, operation, sectionId, alternatives, actual, missing, platformVariantId, platformProductId } =
    detail;
  const weight = unit === "weight" ? ` ${bundle.weightUnit}` : "";
  const inUnit = (amount) => (unit === "money" ? money(amount) : number(amount) + weight);
  const limit = alternatives ? anyOf(alternatives.map(inUnit)) : inUnit(detail.limit);
  const sentence = say(`rule-${rule}`, {
    title: offer.nameOf(platformVariantId, platformProductId),
    bound: say(`limit-${operation}`, { limit }),
    limit,
    now: say(missing === "0" ? "nowActual" : "nowMissing", { actual: inUnit(actual), missing: inUnit(missing) }),
  });
  const section = bundle.sections.length > 1 && bundle.sections.find(({ id }) => id === sectionId);
  return section ? `${section.name}: ${sentence}` : sentence;
}

/** "2 more for 20 % off", or the merchant's own text; "" without a tier. */
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
