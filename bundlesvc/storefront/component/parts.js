/** The parts of the component: products, fields, the summary, the price. */

import { MAX_UNITS } from "../client/selection-lines.js";
import { lack } from "./choices.js";
import { description, each, h, picture, put, uid } from "./dom.js";
import { newsPanel } from "./news.js";

export function card(session, slot) {
  const { say, price: write, offer, image, fields } = session;
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
    hasPicture && picture("div.picture", () => image(slot.shown.image || product.imageUrl)),
    h("span.badge", { text: say("free"), hidden: () => !isFree() }),
    text,
    options(session, slot),
    act,
    answerFields(session, slot),
  );
  return h("li.item", { hidden: () => session.quote.hides(slot), "data-wide": fields(slot).length > 0 }, article);
}

function price(tag, say, now, was) {
  const before = h("s.was", { hidden: () => !was() }, h("span.vh", `${say("before")} `), h("span", was));
  return h(tag, {}, h("span.now", now), " ", before);
}

/** At zero there is a single button. It is the one that adds more, so it keeps the focus. */
function stepper(session, slot) {
  const { say } = session;
  const { title } = slot.product;
  const count = () => slot.of().length;
  const isOpen = () => !lack(slot.shown) && session.quote.units.length < MAX_UNITS;
  const step = (act) => {
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

function options(session, slot) {
  const { options: own } = slot.product;
  const valuesOf = ({ optionValues, title }) => (own.length ? optionValues : [title]);
  const titles = slot.variants.map(({ title }) => title);
  const all = own.length ? own : [{ name: session.say("variant"), values: titles, swatches: {} }];
  const groups = all.map((option, index) => {
    const values = option.values.filter((value) => slot.variants.some((variant) => valuesOf(variant)[index] === value));
    return values.length > 1 && optionGroup(session, slot, { ...option, values, index, valuesOf });
  });
  return h("div.options", { hidden: !groups.some(Boolean) }, groups);
}

function optionGroup({ say, image, offer, changed }, slot, { name, values, swatches, index, valuesOf }) {
  const group = uid();
  const now = () => valuesOf(slot.shown);

  /** The variant with this value, the same options before it, and the most equal options after it. */
  function nearest(value) {
    const wanted = now().with(index, value);
    const alike = (variant) => valuesOf(variant).filter((one, at) => one === wanted[at]).length;
    return slot.variants
      .filter((variant) => valuesOf(variant).every((one, at) => at > index || one === wanted[at]))
      .sort((one, other) => alike(other) - alike(one))[0];
  }

  function choose({ target }) {
    slot.show(nearest(target.value));
    changed(offer.nameOf(slot.shown.platformVariantId));
  }

  function radio(value) {
    const swatch = swatches[value];
    const missing = () => nearest(value) && lack(nearest(value));
    const set = {
      type: "radio",
      name: group,
      value,
      checked: () => now()[index] === value,
      disabled: () => !nearest(value),
      onchange: choose,
    };
    return h(
      swatch ? "label.swatch" : "label.value",
      { title: swatch && value, "data-missing": () => missing() || null },
      h("input.vh", set),
      swatch && dot(swatch.color, image(swatch.imageUrl)),
      h(swatch ? "span.vh" : "span", { text: value }),
      h("span.vh", () => (missing() ? ` ${say(missing())}` : "")),
    );
  }

  const seen = Object.keys(swatches).length > 0 && h("span", () => `: ${now()[index]}`);
  const legend = h("legend", {}, name, seen);
  return h("fieldset.option", {}, legend, h("div.values", {}, values.map(radio)));
}

/** The browser ignores an invalid colour. */
function dot(color, address) {
  const node = h("span.dot", {}, address && picture("span.dot-picture", address));
  node.style.setProperty("background-color", color);
  return node;
}

const labelled = (label, field, set) => h("label.answer", set, h("span", {}, label), field);

const emailField = (set) => h("input.field", { type: "email", autocomplete: "email", required: true, ...set });

function reminders({ bundle, client, host, say, failed }, slot) {
  const missed = () => (bundle.settings.stockReminders && lack(slot.shown) === "soldOut" ? [slot.shown] : []);
  return each(h("div"), missed, ({ platformVariantId: variant }) => {
    const said = h("p.note", { role: "status" });
    const email = emailField();
    const noAddress = say("fault-invalid_email");
    const send = async () => {
      if (!email.validity.valid) return noAddress;
      const answer = await client.embed.notify({ variant, customerEmail: email.value, bundleName: bundle.name });
      return say(`notify-${answer.message_code}`);
    };
    const onsubmit = async (event) => {
      event.preventDefault();
      said.textContent = await send().catch((error) => (error.status === 400 ? noAddress : failed(host.report(error))));
    };
    const field = labelled(say("emailLabel"), email);
    const form = h("form", { novalidate: true, onsubmit }, field, h("button.button", say("send")), said);
    return h("details.reminder", {}, h("summary", say("notifyMe")), form);
  });
}

function answerFields(session, slot) {
  const fields = session.fields(slot);
  const units = () => (fields.length ? slot.units : []);
  return each(h("div.answers"), units, (unit) => {
    const title = () => {
      const own = slot.of(unit.variant);
      const name = session.offer.nameOf(unit.variant.platformVariantId);
      return session.say("personalise", { title: own.length > 1 ? `${name} (${own.indexOf(unit) + 1})` : name });
    };
    return h(
      "fieldset.unit",
      {},
      h("legend", title),
      fields.map((field) => answerField(session, unit, field)),
    );
  });
}

function answerField(session, unit, field) {
  const { say, money } = session;
  const { key, label, type, required, characterLimit: limit, fee, helpText } = field;
  const id = uid();
  const answer = ({ target }) => {
    unit.answers[key] = type === "checkbox" ? target.checked : target.value;
    session.changed();
  };
  const isFaulty = () => session.attempted && session.quote.isFaulty(unit, key) && "true";
  const input = control(field, { required, "aria-describedby": id, "aria-invalid": isFaulty, oninput: answer });
  put(input, type === "checkbox" ? "checked" : "value", unit.answers[key] ?? "");
  const notes = [say(required ? "required" : "optional"), fee && `+ ${money(fee.amount, fee.currencyCode)}`];
  const count = () => limit && say("characters", { count: input.value.length, limit });
  const name = labelled([`${label} `, h("span.note", notes.filter(Boolean).join(" · "))], input);
  return h("div", {}, name, h("p.note", { id, text: () => [helpText, count()].filter(Boolean).join(" ") }));
}

function control(field, set) {
  const { type, options: choices, placeholder, characterLimit } = field;
  const choice = (value) => h("option", { text: wordsOf(field, value) || "–", value });
  if (type === "dropdown") return h("select.field", set, ["", ...choices].map(choice));
  if (type === "checkbox") return h("input.tick", { ...set, type });
  const image = type === "image" && { type: "url", placeholder: placeholder || "https://", maxlength: 2048 };
  return h("input.field", { ...set, type, placeholder: placeholder || null, maxlength: characterLimit, ...image });
}

/** What shoppers read for an answer. One of a dropdown is the same option in every language. */
const wordsOf = (field, answer) => field?.optionLabels?.[answer] ?? answer;

/** `reasons` is the id of the list of unmet rules. */
export function summary(session, reasons) {
  const { say } = session;
  const heading = h("h3.heading", { tabindex: -1, text: say("selection") });
  const rows = () => [...session.quote.units, ...session.quote.gifts];
  const missing = () => (rows().length ? session.quote.reasons : []);
  const keyOf = ({ slot, variant }) => [slot?.key, variant.platformVariantId].join();
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

/** A row of the summary; without a slot, a gift's. */
function line(session, { slot, variant, quantity }, heading) {
  const { say, offer } = session;
  const title = offer.nameOf(variant.platformVariantId);
  const units = () => slot?.of(variant) ?? Array(quantity).fill({ answers: {} });
  const paid = () => (slot ? units().length - session.quote.free(slot.section, variant) : 0);
  const fields = slot ? session.fields(slot) : [];
  const isText = ([, answer]) => answer && answer !== true;
  const said = ([key, answer]) =>
    wordsOf(
      fields.find((field) => field.key === key),
      answer,
    );
  const answered = () => units().flatMap(({ answers }) => Object.entries(answers).filter(isText).map(said));
  const remove = () => {
    slot.remove(units());
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

function plans(session) {
  const { bundle, say, number } = session;
  const offered = bundle.sellingPlans ?? [];
  const name = uid();
  const hasGroups = offered.some(({ groupId }) => groupId !== offered[0].groupId);
  const note = ({ name: group, savingPercent: percent }) =>
    [hasGroups && group, Number(percent) && say("saving", { percent: number(percent) })].filter(Boolean).join(" · ");
  const radio = (plan) => {
    const label = plan ? plan.cadenceLabel : say("oneTime");
    const choose = () => {
      session.plan = plan;
      session.changed(label);
    };
    const input = h("input", { type: "radio", name, checked: () => session.plan === plan, onchange: choose });
    return h("label.plan", {}, input, label, plan && h("span.note", note(plan)));
  };
  const type = ({ target }) => {
    session.email = target.validity.valid ? target.value : "";
    session.changed();
  };
  const isFaulty = () => session.attempted && session.quote.hasNoEmail && "true";
  const email = emailField({ value: session.email, oninput: type, "aria-invalid": isFaulty });
  const address = labelled(say("emailLabel"), email, { hidden: () => !session.plan });
  const ways = offered[0]?.required ? offered : [null, ...offered];
  return offered.length > 0 && h("fieldset.plans", {}, h("legend", say("delivery")), ways.map(radio), address);
}

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
  // Where there is room for it, the summary says all of this and the hint is hidden; elsewhere the summary says the rest.
  const said = () => session.quote.reasons[0] ?? session.quote.tier;
  const hint = h("p.hint", { id, tabindex: -1, text: said, "data-urgent": () => session.attempted && cannot() });
  const isFault = () => session.hasFailed;
  const outcome = h("p.outcome", { role: "status", text: () => session.outcome, "data-fault": isFault });
  const set = { role: "group", "aria-label": say("total"), "data-asking": () => Boolean(session.asked) };
  return h("div.bar", set, newsPanel(session), hint, total, buy, outcome);
}
