/** Tells the shopper in sentences what has changed while they were choosing, and asks whether a new price is acceptable. */

import { changesBetween } from "../selection/changes.js";
import { itemOf } from "../selection/slot.js";
import { each, h, uid } from "./dom.js";

/** @import { Amount, PriceChange } from "../../bundle-builder.js" */
/** @import { Session } from "../session.js" */
/** @import { Changes, Copy, News, Refusal } from "../types.js" */

/**
 * What a session's refusal means for the session that continues it. There may be no sentences if faults of the new
 * selection explain the refusal.
 *
 * @param {Session} before
 * @param {Session} session
 * @returns {News}
 */
export function newsOf(before, session) {
  const changes = changesBetween(copyOf(before), copyOf(session), /** @type {Refusal} */ (before.refusal));
  return { changes, sentences: sentencesOf(changes, before, session) };
}

/**
 * @param {Session} session
 * @returns {Copy}
 */
function copyOf({ bundle, offer, quote }) {
  const { selection, presentment, units } = quote;
  return { bundle, offer, selection, presentment, items: units.map(itemOf) };
}

/**
 * @param {Changes} changes
 * @param {Session} before
 * @param {Session} session
 * @returns {string[]}
 */
function sentencesOf({ rulesChanged, removed, price, details }, before, { say, money, plan, quote }) {
  const gone = before.plan && !plan ? [before.plan.cadenceLabel] : [];
  const titles = [...new Set([...removed.map(({ title }) => title), ...gone])].join(", ");
  const write = (/** @type {Amount} */ { amount, currency }) => money(amount, currency);
  const asked = price && !quote.failures.length;
  const found = /** @type {string[]} */ (
    [
      rulesChanged && say("newsRules"),
      titles && say("newsRemoved", { titles }),
      asked && say("newsPrice", { before: write(price.before), now: write(price.now) }),
    ].filter(Boolean)
  );
  const isExplained = details.length > 0 || quote.failures.length > 0;
  return found.length || isExplained ? found : [say("changed")];
}

/**
 * The panel in the price bar that tells the shopper what has changed. While it asks the shopper to accept a new price,
 * the bar shows nothing else.
 *
 * @param {Session} session
 */
export function newsPanel(session) {
  const { say, money } = session;
  const id = uid();
  const price = () => session.asked;
  const sentences = () => session.news?.sentences ?? [];
  const confirm = h("button.button.confirm", {
    text: () => {
      const now = price()?.now;
      return now && say(session.isBusy ? "adding" : "buyFor", { price: money(now.amount, now.currency) });
    },
    "aria-disabled": () => session.isBusy && "true",
    // Ignore the second click of a double click, which was meant for the previous button.
    onclick: ({ detail }) => detail < 2 && session.buy(/** @type {PriceChange} */ (price()).accept),
  });
  const keep = h("button.button", { text: say("keepChoosing"), onclick: () => session.dismiss() });
  return h(
    "div.news",
    { role: "group", "aria-labelledby": id, tabindex: -1, hidden: () => !sentences().length },
    each(h("div", { id }), sentences, (sentence) => h("p.news-text", sentence)),
    h("div.news-acts", { hidden: () => !price() }, confirm, keep),
  );
}
