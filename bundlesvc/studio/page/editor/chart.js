/** A small chart of the price of a bundle by its number of units. */

import { drawn, el } from "../dom.js";
import { pointsOf } from "../model/discounts.js";
import { money } from "../model/money.js";
import { say } from "../words/words.js";
import { offeredIds } from "./editing.js";

/** @import { Bundle } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Point } from "../model/discounts.js" */
/** @import { Editing } from "./editing.js" */

const WIDTH = 520;
const HEIGHT = 150;
const LEFT = 8;
const BOTTOM = 22;
/** The smallest change in the discount, as a share of the full price, for which the caption gives an example. */
const NOTICED = 0.001;

/** @param {Editing} editing */
export function priceChart({ doc, catalogue, workspace }) {
  const figure = el("figure.chart", { id: "chart" });
  const draw = () => {
    const { currency } = workspace;
    const price = usualPrice(doc.now, catalogue);
    const points = price ? pointsOf(doc.now, price, currency) : [];
    figure.replaceChildren(...(points.length ? [picture(points), caption(points, price, currency)] : []));
  };
  const follow = () => {
    if (figure.isConnected) draw();
    else doc.removeEventListener("edited", follow);
  };
  draw();
  queueMicrotask(() => doc.addEventListener("edited", follow));
  return figure;
}

/**
 * The median price of the variants of all offered products; "" when there is none.
 *
 * @param {Bundle} bundle
 * @param {Catalogue} catalogue
 */
function usualPrice(bundle, catalogue) {
  const prices = offeredIds(bundle)
    .flatMap((id) => catalogue.get(id)?.variants.map(({ price }) => price) ?? [])
    .filter((price) => Number(price) > 0)
    .sort((one, other) => Number(one) - Number(other));
  return prices[Math.floor(prices.length / 2)] ?? "";
}

/** @param {readonly Point[]} points */
function picture(points) {
  const top = Math.max(...points.map(({ full }) => Number(full)));
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
    return [bar(Number(full), "full"), bar(Number(paid), "paid"), ...label];
  });
  return drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, ...bars);
}

/** @param {readonly Point[]} points @param {string} price @param {string} currency */
function caption(points, price, currency) {
  const shares = points.map(({ full, paid }) => Number(paid) / Number(full));
  const steps = points.filter(
    (_, place) => shares[place] < 1 && (place === 0 || Math.abs(shares[place - 1] - shares[place]) > NOTICED),
  );
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
