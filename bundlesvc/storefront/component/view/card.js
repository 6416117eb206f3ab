/** The card of a product in a section. */

import { MAX_UNITS } from "../../client/selection-lines.js";
import { lack } from "../selection/slot.js";
import { answerFields } from "./answer-fields.js";
import { description, h, picture } from "./dom.js";
import { options } from "./options.js";
import { price } from "./price-bar.js";
import { reminders } from "./reminders.js";

/** @import { Session } from "../session.js" */
/** @import { Slot } from "../selection/slot.js" */

/**
 * @param {Session} session
 * @param {Slot} slot
 */
export function card(session, slot) {
  const { say, price: write, offer, fields } = session;
  const { product } = slot;
  const isChosen = () => slot.units.length > 0;
  const hasPicture = Boolean(product.imageUrl) || slot.variants.some((variant) => variant.image);
  const isFree = () => slot.of().length > 0 && session.quote.free(slot.section, slot.shown) >= slot.of().length;
  const was = () => offer.wasPriceOf(slot.shown) && write(offer.wasPriceOf(slot.shown));
  const text = h(
    "div.text",
    {},
    h("h4.title", product.title),
    price("p.price", say, () => write(offer.priceOf(slot.shown)), was),
    description(product.descriptionHtml, say("details")),
  );
  const act = h(
    "div.act",
    {},
    h("p.note", () => (slot.units.length > slot.of().length ? say("chosen", { count: slot.units.length }) : "")),
    h("p.missing", () => say(lack(slot.shown))),
    slot.quantity ? h("p.included", `${slot.quantity} × ${say("included")}`) : stepper(session, slot),
    reminders(session, slot),
  );
  const article = h(
    "article.card",
    {
      "aria-label": product.title,
      "data-chosen": isChosen,
      "data-plain": !hasPicture,
      part: () => (isChosen() ? "card chosen" : "card"),
    },
    hasPicture && picture("div.picture", session, () => slot.shown.image || product.imageUrl),
    h("span.badge", { text: say("free"), hidden: () => !isFree() }),
    text,
    options(session, slot),
    act,
    answerFields(session, slot),
  );
  return h("li.item", { hidden: () => session.quote.hides(slot), "data-wide": fields(slot).length > 0 }, article);
}

/**
 * At zero units, only the button that adds a unit is shown. It is the same element at any number, so it keeps the
 * focus.
 *
 * @param {Session} session
 * @param {Slot} slot
 */
function stepper(session, slot) {
  const { say } = session;
  const { title } = slot.product;
  const count = () => slot.of().length;
  const isOpen = () => !lack(slot.shown) && session.quote.units.length < MAX_UNITS;
  const step = (/** @type {() => void} */ act) => {
    act.call(slot);
    session.changed(`${title}: ${count()}`);
    if (!count()) more.focus();
  };
  const less = h("button.button.step", {
    text: "−",
    "aria-label": say("decrease", { title }),
    onclick: () => step(slot.drop),
    hidden: () => !count(),
  });
  const more = h("button.button.step.more", {
    text: () => (count() ? "+" : say("choose")),
    "aria-label": () => say(count() ? "increase" : "chooseItem", { title }),
    "aria-disabled": () => !isOpen() && "true",
    onclick: () => isOpen() && step(slot.add),
  });
  const amount = h("span.amount", () => count() || "");
  const set = { hidden: () => !count() && Boolean(lack(slot.shown)), "data-empty": () => !count() };
  return h("div.stepper", set, less, amount, more);
}
