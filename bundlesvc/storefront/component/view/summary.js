/** The summary: the chosen items, their delivery, and what is missing. */

import { wordsOf } from "./answer-fields.js";
import { each, h, uid } from "./dom.js";
import { emailField, labelled } from "./fields.js";

/** @import { Session } from "../session.js" */
/** @import { On, Plan, Row, Settings } from "../types.js" */

/**
 * `reasons` is the id of the list of unmet rules.
 *
 * @param {Session} session
 * @param {string} reasons
 */
export function summary(session, reasons) {
  const { say } = session;
  const heading = h("h3.heading", { tabindex: -1, text: say("selection") });
  const rows = () => [...session.quote.units, ...session.quote.gifts];
  const missing = () => (rows().length ? session.quote.reasons : []);
  const keyOf = (/** @type {Row} */ { slot, variant }) => [slot?.key, variant.platformVariantId].join();
  /** @type {(tag: "ul.messages" | "ul.reasons", set: Settings, texts: () => readonly string[]) => HTMLElement} */
  const sentences = (tag, set, texts) => each(h(tag, set), texts, (text) => h("li", { text }));
  return h(
    "section.summary",
    { "aria-label": say("selection"), inert: () => session.isBusy },
    heading,
    h("p.note", { text: say("selectionEmpty"), hidden: () => rows().length > 0 }),
    each(h("ul.lines"), rows, (row) => line(session, row, heading), keyOf),
    plans(session),
    sentences("ul.messages", {}, () => session.quote.messages),
    h("p.tier", { text: () => session.quote.tier, hidden: () => !session.quote.tier }),
    sentences("ul.reasons", { id: reasons, tabindex: -1, "data-urgent": () => session.attempted }, missing),
    h("slot", { name: "summary" }),
  );
}

/**
 * A row of the summary. A row without a slot is a gift.
 *
 * @param {Session} session
 * @param {Row} row
 * @param {HTMLElement} heading
 */
function line(session, { slot, variant, quantity }, heading) {
  const { say, offer } = session;
  const title = offer.nameOf(variant.platformVariantId);
  const units = () => slot?.of(variant) ?? Array(quantity).fill({ answers: {} });
  const paid = () => (slot ? units().length - session.quote.free(slot.section, variant) : 0);
  const fields = slot ? session.fields(slot) : [];
  const isText = (/** @type {[string, string | boolean]} */ [, answer]) => answer && answer !== true;
  const said = (/** @type {[string, string]} */ [key, answer]) =>
    wordsOf(
      fields.find((field) => field.key === key),
      answer,
    );
  const answered = () => units().flatMap(({ answers }) => Object.entries(answers).filter(isText).map(said));
  const remove = () => {
    slot?.remove(units());
    session.changed();
    heading.focus({ preventScroll: true });
  };
  return h(
    "li.line",
    {},
    h("span.amount", () => `${units().length} ×`),
    h(
      "span",
      {},
      title,
      h("span.note", () => answered().join(" · ")),
    ),
    h("span.amount", () => (paid() ? session.price(offer.amountOf(variant, paid())) : say("free"))),
    slot?.quantity === 0 && h("button.remove", { text: "×", "aria-label": say("remove", { title }), onclick: remove }),
  );
}

/** @param {Session} session */
function plans(session) {
  const { bundle, say, number } = session;
  const offered = bundle.sellingPlans ?? [];
  const name = uid();
  const hasGroups = offered.some(({ groupId }) => groupId !== offered[0].groupId);
  const note = (/** @type {Plan} */ { name: group, savingPercent: percent }) =>
    [hasGroups && group, Number(percent) && say("saving", { percent: number(percent) })].filter(Boolean).join(" · ");
  const radio = (/** @type {Plan | null} */ plan) => {
    const label = plan ? plan.cadenceLabel : say("oneTime");
    const choose = () => {
      session.plan = plan;
      session.changed(label);
    };
    const input = h("input", { type: "radio", name, checked: () => session.plan === plan, onchange: choose });
    return h("label.plan", {}, input, label, plan && h("span.note", note(plan)));
  };
  const type = (/** @type {On<HTMLInputElement>} */ { target }) => {
    session.email = target.validity.valid ? target.value : "";
    session.changed();
  };
  const isFaulty = () => session.attempted && session.quote.hasNoEmail && "true";
  const email = emailField({ value: session.email, oninput: type, "aria-invalid": isFaulty });
  const address = labelled(say("emailLabel"), email, { hidden: () => !session.plan });
  const ways = offered[0]?.required ? offered : [null, ...offered];
  return offered.length > 0 && h("fieldset.plans", {}, h("legend", say("delivery")), ways.map(radio), address);
}
