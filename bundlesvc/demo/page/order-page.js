/**
 * The page of an order: the promised and the charged price of each bundle, the reason if they differ, and the refund
 * for parts of the order.
 */

import { announce, h } from "./dom.js";
import { money, sum } from "./money.js";
import { lineView } from "./order-lines.js";
import { fetchOrder } from "./orders.js";
import { Returns } from "./returns.js";
import { say } from "./words.js";

/** @import { BoughtOrder, OrderLine, Shop, Verdict } from "./types.js" */

/**
 * @param {Shop} shop
 * @param {string} id
 * @returns {HTMLElement[]}
 */
export function orderPage(shop, id) {
  const arrow = h("span", { "aria-hidden": "true", text: "← " });
  const back = h("a.back", { href: "", "data-home": true }, arrow, say("back"));
  const title = h("h1", { id: "title", tabindex: -1, text: say("orderTitle") });
  const content = h("div.order", { "aria-busy": true, "data-testid": "order" }, h("p", { text: say("orderWaiting") }));
  fill(content, shop, id);
  return [h("div.page-head", {}, back), title, content];
}

/**
 * Fetches the order and shows it.
 *
 * @param {HTMLElement} content
 * @param {Shop} shop
 * @param {string} id
 */
async function fill(content, shop, id) {
  try {
    const order = await fetchOrder(shop, id);
    const returns = new Returns(shop, order);
    content.replaceChildren(...receipt(shop, order), returns.node);
    await returns.ask();
    announce(say(verdictOf(order)));
  } catch (error) {
    const text = say("orderFailed", { reason: /** @type {Error} */ (error).message });
    content.replaceChildren(h("p.message", { role: "alert", text }));
  }
  content.removeAttribute("aria-busy");
}

/** Whether a bundle was charged as promised. Rounding differences that the contract allows do not break a promise. */
function isKept(/** @type {Verdict} */ { verdict, cause }) {
  return verdict === "equal" || cause === "rounding";
}

/** The verdict on all bundles of an order, as text for the page. */
function verdictOf(/** @type {BoughtOrder} */ { bundles }) {
  return bundles.every(isKept) ? "kept" : "notKept";
}

/**
 * @param {Shop} shop
 * @param {BoughtOrder} order
 * @returns {(HTMLElement | string)[]}
 */
function receipt(shop, order) {
  const inBundles = new Set(order.bundles.flatMap(({ lines }) => lines));
  const others = order.lines.filter(({ id }) => !inBundles.has(id));
  const all = verdictOf(order);
  const verdict = h("p.verdict", { text: say(all), "data-kept": String(all === "kept"), "data-testid": "proof" });
  const total = money(sum(order.lines.map(({ charged }) => charged)), order.currency);
  return [
    h("p.more", {}, h("code", { text: order.name }), ` · ${say("orderNotice")}`),
    verdict,
    ...order.bundles.map((bundle) => bundleView(shop, order, bundle)),
    ...(others.length ? [otherLines(others, order)] : []),
    h(
      "p.charge.sum",
      {},
      h("strong", { text: say("total") }),
      h("span.amount", { text: total, "data-testid": "order-total" }),
    ),
  ];
}

/**
 * @param {Shop} shop
 * @param {BoughtOrder} order
 * @param {Verdict} bundle
 */
function bundleView(shop, order, bundle) {
  const { bundleId, verdict, cause, reason } = bundle;
  const name = shop.bundles.find(({ id }) => id === bundleId)?.name ?? say("bundle", { id: bundleId ?? "?" });
  const lines = order.lines.filter(({ id }) => bundle.lines.includes(id));
  return h(
    "article.order-bundle",
    { "data-testid": "order-bundle", "data-verdict": cause ?? verdict },
    h("h2", { text: name }),
    comparison(bundle, order.currency),
    h(
      "p.order-cause",
      { "data-kept": String(isKept(bundle)) },
      say(cause ?? verdict),
      reason ? h("span.more", {}, h("code", { text: reason })) : null,
    ),
    h("ul.charges", { role: "list" }, ...lines.map((line) => lineView(line, order.currency))),
  );
}

/**
 * @param {Verdict} bundle
 * @param {string} currency
 */
function comparison({ promised, charged, difference }, currency) {
  const amounts = { promised, charged, difference };
  return h(
    "dl.comparison",
    {},
    ...Object.entries(amounts).map(([name, amount]) =>
      h(
        "div",
        { "data-amount": name },
        h("dt", { text: say(name) }),
        h("dd", { text: amount === null ? "–" : money(amount, currency) }),
      ),
    ),
  );
}

/**
 * @param {readonly OrderLine[]} lines
 * @param {BoughtOrder} order
 */
function otherLines(lines, { currency }) {
  return h(
    "section.order-bundle",
    {},
    h("h2", { text: say("alsoBought") }),
    h("ul.charges", { role: "list" }, ...lines.map((line) => lineView(line, currency))),
  );
}
