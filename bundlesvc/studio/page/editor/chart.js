/** A small chart of what a bundle costs by the number of its units. */

import { drawn, el } from "../dom.js";
import { money } from "../model/money.js";
import { say } from "../words/words.js";
import { isTiered } from "./discount.js";
import { offeredIds } from "./editing.js";

/** @import { Bundle, Discount, Tier } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Editing } from "./editing.js" */

const WIDTH = 520;
const HEIGHT = 150;
const LEFT = 8;
const BOTTOM = 22;
const MOST = 30;
/** What is rounded off is a half where it is this close to one: binary fractions are not exact. */
const CLOSE = 1e-6;

/** @typedef {{ units: number, full: number, paid: number }} Point amounts in the shop's currency */

const HOLDS = {
  gt: (/** @type {number} */ value, /** @type {number} */ limit) => value > limit,
  gte: (/** @type {number} */ value, /** @type {number} */ limit) => value >= limit,
  lt: (/** @type {number} */ value, /** @type {number} */ limit) => value < limit,
  lte: (/** @type {number} */ value, /** @type {number} */ limit) => value <= limit,
  eq: (/** @type {number} */ value, /** @type {number} */ limit) => value === limit,
};

/** @param {Editing} editing */
export function priceChart({ doc, catalogue, workspace }) {
  const figure = el("figure.chart", { id: "chart" });
  const draw = () => {
    const price = usualPrice(doc.now, catalogue);
    const points = price ? pointsOf(doc.now, price) : [];
    figure.replaceChildren(
      ...(points.length ? [picture(points), caption(points, price, workspace.content.shop.currency)] : []),
    );
  };
  const follow = () => {
    if (figure.isConnected) draw();
    else doc.removeEventListener("edited", follow);
  };
  draw();
  queueMicrotask(() => doc.addEventListener("edited", follow));
  return figure;
}

/** The price in the middle of all that is offered. @param {Bundle} bundle @param {Catalogue} catalogue */
function usualPrice(bundle, catalogue) {
  const prices = offeredIds(bundle)
    .flatMap((id) => catalogue.get(id)?.variants.map(({ price }) => Number(price)) ?? [])
    .sort((one, other) => one - other);
  return prices[Math.floor(prices.length / 2)] ?? 0;
}

/** @param {Bundle} bundle @param {number} price @returns {Point[]} */
export function pointsOf({ discount, limitRules = [] }, price) {
  if (!discount) return [];
  const tiers = isTiered(discount) ? (discount.tiers ?? []) : [];
  const counts = tiers.filter(({ type }) => type !== "total_price").map(({ value }) => Number(value));
  const amounts = tiers.filter(({ type }) => type === "total_price").map(({ value }) => Number(value) / price);
  const rules = limitRules.filter(({ type }) => type === "total-number-of-products").map(({ value }) => Number(value));
  const most = Math.min(MOST, Math.max(6, ...[...counts, ...amounts, ...rules].map((number) => Math.ceil(number) + 2)));
  return Array.from({ length: most }, (_, place) => {
    const units = place + 1;
    const full = units * price;
    return { units, full, paid: full - reduction(discount, tiers, units, full) };
  });
}

/** @param {Discount} discount @param {readonly Tier[]} tiers @param {number} units @param {number} full */
function reduction(discount, tiers, units, full) {
  if (discount.minimum && full < Number(discount.minimum)) return 0;
  const off = (/** @type {string | undefined} */ value) => offOf(discount.type, Number(value ?? 0), full);
  if (!isTiered(discount)) return off(discount.value);
  const reached = tiers.filter(({ type, operation, value }) =>
    HOLDS[operation](type === "total_price" ? full : units, Number(value)),
  );
  if (discount.operator !== "cumulative") return Math.max(0, ...reached.map((tier) => off(tier.discount)));
  return off(String(reached.reduce((sum, tier) => sum + Number(tier.discount), 0)));
}

/** @param {string} type @param {number} value @param {number} full */
function offOf(type, value, full) {
  const off = { percentage: (full * value) / 100, fixed: value, price: full - value }[type] ?? 0;
  return Math.min(Math.max(0, Math.round(off * 100 + CLOSE) / 100), full);
}

/** @param {readonly Point[]} points */
function picture(points) {
  const top = Math.max(...points.map(({ full }) => full / 1)) || 1;
  const step = (WIDTH - LEFT * 2) / points.length;
  const y = (/** @type {number} */ amount) => HEIGHT - BOTTOM - (amount / top) * (HEIGHT - BOTTOM - 10);
  const bars = points.flatMap(({ units, full, paid }, place) => {
    const x = LEFT + place * step + step * 0.15;
    const bar = (/** @type {number} */ amount, /** @type {string} */ kind) =>
      drawn("rect", {
        class: kind,
        x,
        y: y(amount),
        width: step * 0.7,
        height: Math.max(0, HEIGHT - BOTTOM - y(amount)),
        rx: 3,
      });
    const isLabelled = points.length <= 14 || units % 2 === 0;
    const label = isLabelled
      ? [drawn("text", { x: x + step * 0.35, y: HEIGHT - 6, "text-anchor": "middle" }, String(units))]
      : [];
    return [bar(full, "full"), bar(paid, "paid"), ...label];
  });
  return drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, ...bars);
}

/** @param {readonly Point[]} points @param {number} price @param {string | undefined} currency */
function caption(points, price, currency) {
  const steps = points.filter(({ full, paid }, place) => {
    const before = points[place - 1];
    return full > paid && (!before || Math.abs(before.paid / before.full - paid / full) > 0.001);
  });
  const examples = steps
    .slice(0, 4)
    .map(({ units, paid, full }) =>
      say("chart-step", { units, paid: money(paid, currency), full: money(full, currency) }),
    );
  return el(
    "figcaption",
    {},
    el("p", { text: say("chart-caption", { price: money(price, currency) }) }),
    el("ul", {}, ...examples.map((text) => el("li", { text }))),
  );
}
