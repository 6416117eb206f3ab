/** What has changed while a shopper was choosing, in sentences, and the question whether a new price is right. */

import { changesBetween } from "./changes.js";
import { each, h, uid } from "./dom.js";
import { itemOf } from "./slot.js";

/**
 * What the refusal of a session means for the one that continues it: {changes, sentences}. There are no sentences when its
 * reasons say it all.
 */
export function newsOf(before, session) {
  const changes = changesBetween(copyOf(before), copyOf(session), before.refusal);
  return { changes, sentences: sentencesOf(changes, before, session) };
}

function copyOf({ bundle, offer, quote }) {
  const { selection, presentment, units } = quote;
  return { bundle, offer, selection, presentment, items: units.map(itemOf) };
}

function sentencesOf({ rulesChanged, removed, price, details }, before, { say, money, plan, quote }) {
  const gone = before.plan && !plan ? [before.plan.cadenceLabel] : [];
  const titles = [...new Set([...removed.map(({ title }) => title), ...gone])].join(", ");
  const write = ({ amount, currency }) => money(amount, currency);
  const asked = price && !quote.failures.length;
  const found = [
    rulesChanged && say("newsRules"),
    titles && say("newsRemoved", { titles }),
    asked && say("newsPrice", { before: write(price.before), now: write(price.now) }),
  ].filter(Boolean);
  const isExplained = details.length > 0 || quote.failures.length > 0;
  return found.length || isExplained ? found : [say("changed")];
}

/** The panel in the price bar. While it asks about a price, the bar shows nothing else. */
export function newsPanel(session) {
  const { say, money } = session;
  const id = uid();
  const price = () => session.asked;
  const sentences = () => session.news?.sentences ?? [];
  const confirm = h("button.button.confirm", {
    text: () =>
      price() && say(session.isBusy ? "adding" : "buyFor", { price: money(price().now.amount, price().now.currency) }),
    "aria-disabled": () => session.isBusy && "true",
    // The second click of a double click was meant for the button before.
    onclick: ({ detail }) => detail < 2 && session.buy(price().accept),
  });
  const keep = h("button.button", { text: say("keepChoosing"), onclick: () => session.dismiss() });
  return h(
    "div.news",
    { role: "group", "aria-labelledby": id, tabindex: -1, hidden: () => !sentences().length },
    each(h("div", { id }), sentences, (sentence) => h("p.news-text", sentence)),
    h("div.news-acts", { hidden: () => !price() }, confirm, keep),
  );
}
