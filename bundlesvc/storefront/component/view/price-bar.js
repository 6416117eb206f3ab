/** The bar with the price and the buy button. */

import { h, uid } from "./dom.js";
import { newsPanel } from "./news.js";

/** @import { Session } from "../session.js" */
/** @import { Words } from "../types.js" */

/**
 * @param {Session} session
 * @param {string} reasons
 */
export function priceBar(session, reasons) {
  const { say } = session;
  const id = uid();
  const cannot = () => session.quote.reasons.length > 0;
  const total = h(
    "div.total",
    {},
    h("p.note", () => session.quote.label),
    price(
      "p.sum",
      say,
      () => session.quote.price,
      () => session.quote.was,
    ),
    h("p.saved", () => session.quote.saved && say("save", { amount: session.quote.saved })),
    h("p.note", () => session.quote.fee && say("fee", { amount: session.quote.fee })),
  );
  const buy = h("button.button.buy", {
    text: () => say(session.isBusy ? "adding" : "addToCart"),
    "aria-disabled": () => (cannot() || session.isBusy) && "true",
    "aria-describedby": () => cannot() && (session.quote.units.length ? reasons : id),
    onclick: () => session.buy(),
  });
  // In wide layouts, the summary contains all of this and the hint is hidden; otherwise, the summary contains the rest.
  const said = () => session.quote.reasons[0] ?? session.quote.tier;
  const hint = h("p.hint", { id, tabindex: -1, text: said, "data-urgent": () => session.attempted && cannot() });
  const isFault = () => session.hasFailed;
  const outcome = h("p.outcome", { role: "status", text: () => session.outcome, "data-fault": isFault });
  const set = { role: "group", "aria-label": say("total"), "data-asking": () => Boolean(session.asked) };
  return h("div.bar", set, newsPanel(session), hint, total, buy, outcome);
}

/**
 * A price, with the previous price if that was higher.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Words["say"]} say
 * @param {() => string} now
 * @param {() => string} was
 */
export function price(tag, say, now, was) {
  const before = h("s.was", { hidden: () => !was() }, h("span.vh", `${say("before")} `), h("span", was));
  return h(tag, {}, h("span.now", now), " ", before);
}
