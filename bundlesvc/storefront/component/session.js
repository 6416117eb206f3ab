/** One shopper's session with a bundle: sections, selection, purchase. */

import { priceFormatter, shownPrice } from "../client/client.js";
import { chooseElsewhere, isOutdated } from "./changes.js";
import { Offer, Quote } from "./choices.js";
import { Configuring } from "./configuring.js";
import { h, picture, refresh, uid } from "./dom.js";
import { newsOf } from "./news.js";
import { card, priceBar, summary } from "./parts.js";

export class Session {
  attempted = false;
  isBusy = false;
  plan = null;
  email = "";
  outcome = "";
  hasFailed = false;
  /** What the service has refused although this copy of the bundle allows it; null until then. */
  refusal = null;
  /** What has changed since the copy before: {changes, sentences}; null when nothing has, and after the next choice. */
  news = null;
  #ended = new AbortController();
  #configuring = new Configuring();

  /** `read`: {bundle, client, baseUrl, country, visitorId, wanted} and texts; `host`: {emit, report, announce, reload}. */
  constructor(read, host, before) {
    Object.assign(this, read, { host });
    const plans = this.bundle.sellingPlans ?? [];
    this.offer = new Offer(this.bundle);
    this.money = priceFormatter(this.bundle.settings, this.bundle.locale);
    if (plans[0]?.required) this.plan = plans[0];
    if (before?.bundle.id === this.bundle.id) this.#take(before, plans);
    if (this.wanted) this.#note(this.#choose(this.wanted));
    this.quote = new Quote(this, []);
    if (before?.refusal && before.bundle.id === this.bundle.id && !this.wanted) this.#compare(before);
    this.node = this.#view();
    this.sections?.open(before?.sections?.current()?.id);
    this.#show();
  }

  /** An amount in the shopper's currency; `money` writes the shop's. */
  price = (amount) => this.money(amount, this.offer.currency);

  image = (address) => (address && URL.canParse(address, this.baseUrl) ? new URL(address, this.baseUrl).href : null);

  fields = ({ product }) => this.bundle.personalisation?.[product.platformProductId] ?? [];

  /** The new price that the shopper is asked about; null for no question. */
  get asked() {
    return this.quote.failures.length ? null : (this.news?.changes.price ?? null);
  }

  /** `what` is announced with the price. */
  changed = (what) => {
    Object.assign(this, { outcome: "", news: null });
    this.quote = new Quote(this, []);
    this.#show();
    const { label, price, reasons, tier, messages } = this.quote;
    const parts = [what, `${label} ${price}`, reasons[0], tier, ...messages].filter(Boolean);
    this.host.announce(parts.map((part) => part.replace(/[.!?]?$/, ".")).join(" "));
    this.report();
  };

  report() {
    const { selection, pricing, presentment, failures } = this.quote;
    this.host.emit("bundle:change", { selection, pricing, presentment, failures });
  }

  /** Replaces what is chosen by a selection. */
  open(selection) {
    const leftOut = this.#choose(selection);
    this.attempted = false;
    this.sections?.open();
    this.changed(leftOut);
    this.#note(leftOut);
    this.#show();
  }

  end() {
    this.#ended.abort();
  }

  reset() {
    for (const slot of this.offer.slots) slot.clear();
    this.attempted = false;
    this.sections?.open();
    this.changed();
  }

  /** `price` is what the shopper has seen, as configure takes it. */
  async buy(price = this.#shown()) {
    if (this.isBusy) return;
    if (this.quote.failures.length) return this.#point();
    this.#set({ isBusy: true, outcome: "" });
    try {
      const { bundle, country, visitorId } = this;
      const { selection, evaluation } = this.quote;
      const chosen = { bundle, selection, evaluation, price, country, visitorId };
      const result = await this.#configuring.configure(this.client, chosen, this.#ended.signal);
      this.#set({ isBusy: false });
      this.dismiss();
      if (!this.host.emit("bundle:addtocart", { result, bundle, selection })) return;
      this.reset();
      this.#set({ outcome: this.say("added"), hasFailed: false });
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#refuse(error);
    }
  }

  /** Takes the news away. The focus stays in the bar. */
  dismiss() {
    const hadFocus = this.node.querySelector(".news").contains(this.node.getRootNode().activeElement);
    this.#set({ news: null });
    if (hadFocus) this.node.querySelector(".buy").focus();
  }

  /** Reports what has changed since the session before was refused. The focus goes there unless it is elsewhere in the page. */
  tellNews(mayFocus) {
    const { bundle, news, quote, asked } = this;
    const { rulesChanged, removed } = news.changes;
    this.host.emit("bundle:update", { bundle, rulesChanged, removed, price: asked });
    if (mayFocus && news.sentences.length) this.node.querySelector(".news")?.focus({ preventScroll: true });
    else if (mayFocus) this.#point();
    this.host.announce([...news.sentences, ...quote.reasons].join(" "));
  }

  /** The price that the shopper sees. */
  #shown() {
    const { pricing, presentment } = this.quote;
    return shownPrice(this.offer.isForeign ? { pricing: null, presentment } : { pricing });
  }

  /** When this copy of the bundle is outdated, the session ends: the next one says why. */
  #refuse(error) {
    const problem = this.host.report(error);
    if (isOutdated(error)) {
      this.refusal = error;
      return this.host.reload();
    }
    this.isBusy = false;
    if (error.details?.length) {
      this.quote = new Quote(this, error.details);
      this.#point();
    } else this.#set({ outcome: this.failed(problem), hasFailed: true });
  }

  #compare(before) {
    this.news = newsOf(before, this);
    const { details } = this.news.changes;
    if (!this.quote.failures.length) this.quote = new Quote(this, details);
    this.attempted = this.quote.failures.length > 0;
  }

  #point() {
    this.#set({ attempted: true });
    const fault = this.node.querySelector("[aria-invalid]");
    this.sections.reveal(fault);
    const [hint, reasons] = [".hint", ".reasons"].map((part) => this.node.querySelector(part));
    const target = [fault, hint, reasons].find((part) => part?.checkVisibility());
    target.focus({ preventScroll: target === hint });
    this.host.announce(this.quote.reasons.join(". "));
  }

  #take(before, plans) {
    const key = (plan) => plan && [plan.groupId, plan.frequency, plan.unit].join();
    this.offer.take(before.offer);
    chooseElsewhere(before.offer, this.offer, this.fields);
    this.plan = plans.find((plan) => key(plan) === key(before.plan)) ?? this.plan;
    this.email = before.email;
  }

  /** Chooses what the bundle offers of a selection. Returns a sentence when something is left out. */
  #choose({ items, subscription: wanted, isLost = false }) {
    const plans = this.bundle.sellingPlans ?? [];
    const isWanted = ({ groupId, frequency, unit }) =>
      groupId === wanted?.id && frequency === wanted.frequency && unit === wanted.unit;
    const plan = plans.find(isWanted) ?? null;
    this.plan = plan ?? (plans[0]?.required ? plans[0] : null);
    const isWhole = this.offer.choose(items, this.fields) && !isLost && Boolean(plan) === Boolean(wanted);
    return isWhole ? "" : this.say("leftOut");
  }

  #note(outcome) {
    if (outcome) Object.assign(this, { outcome, hasFailed: true });
  }

  #set(state) {
    Object.assign(this, state);
    this.#show();
  }

  #show() {
    this.sections?.follow();
    refresh(this.node);
  }

  #view() {
    const { bundle, offer, image, say } = this;
    const name = h("h2.name", { text: bundle.name, tabindex: -1 });
    const text = h("div", {}, name, bundle.description && h("p.note", bundle.description));
    const head = h("header.head", {}, bundle.imageUrl && picture("div.cover", image(bundle.imageUrl)), text);
    if (!offer.slots.length) return h("div.builder", {}, head, h("p.notice", say("empty")));
    const reasons = uid();
    this.sections = sections(this);
    const side = h("div.side", {}, summary(this, reasons), priceBar(this, reasons));
    return h("div.builder", {}, head, h("div.columns", {}, this.sections.node, side));
  }
}

/** All sections on one page, or one at a time as steps. */
function sections(session) {
  const { offer, bundle, say, fields } = session;
  const hasSteps = bundle.layout === "multiple-sections";
  let current;
  let before;

  const conditions = () => session.quote.evaluation.conditions;
  const isHidden = ({ id, slots }) => !slots.length || conditions().hiddenSections.includes(id);
  const shown = () => offer.sections.filter((section) => !isHidden(section));
  const isStepped = () => hasSteps && shown().length > 1;
  const beside = (by) => shown()[shown().indexOf(current) + by];

  /** A section with fields to fill in is left by the shopper only. */
  function isDone({ id, slots }) {
    const { refusal } = session.quote.evaluation;
    const chosen = slots.filter(({ units }) => units.length);
    const fails = refusal?.code !== "rules_not_met" || refusal.details.some(({ sectionId }) => sectionId === id);
    return chosen.length > 0 && !(refusal && fails) && !chosen.some((slot) => fields(slot).length);
  }

  function open(id) {
    current = shown().find((section) => section.id === id) ?? shown()[0];
  }

  /** Moves on only when something has changed since the last call. */
  function follow() {
    const last = before;
    const done = offer.sections.filter(isDone);
    before = { goto: conditions().goto, done };
    if (!shown().includes(current)) open();
    if (!last) return;
    const isNew = done.includes(current) && !last.done.includes(current);
    if (before.goto !== null && before.goto !== last.goto) goTo(shown().find(({ id }) => id === before.goto));
    else if (hasSteps && isNew && current.autoNextSection) goTo(beside(1));
  }

  function goTo(section) {
    if (!section) return;
    current = section;
    refresh(node);
    section.heading.focus({ preventScroll: true });
    if (!hasSteps) section.heading.scrollIntoView();
    else if (node.getBoundingClientRect().top < 0) node.scrollIntoView();
  }

  /** Opens the step that contains an element. */
  function reveal(part) {
    const section = shown().find(({ heading }) => heading.closest("section").contains(part));
    if (hasSteps && section !== current) goTo(section);
  }

  function step(section) {
    const count = () => section.slots.flatMap(({ units }) => units).length;
    const button = h(
      "button.step-button",
      { "aria-current": () => section === current && "step", onclick: () => goTo(section) },
      h("span.mark", { "aria-hidden": "true", text: () => (isDone(section) ? "✓" : shown().indexOf(section) + 1) }),
      h("span", section.name),
      h("span.note", () => (count() ? say("chosen", { count: count() }) : "")),
    );
    return h("li.step-item", { hidden: () => !shown().includes(section) }, button);
  }

  /** A heading with cards below. */
  function group(section, isAway) {
    const { name, description, imageUrl, slots } = section;
    section.heading = h("h3.heading", { tabindex: -1, text: name });
    const text = h("div", {}, section.heading, description && h("p.note", description));
    const head = h("div.section-head", {}, imageUrl && picture("div.section-picture", session.image(imageUrl)), text);
    const grid = h(
      "ul.grid",
      {},
      slots.map((slot) => card(session, slot)),
    );
    return h("section.section", { "aria-label": name, hidden: isAway }, head, grid);
  }

  const turn = (by) => ({ onclick: () => goTo(beside(by)), hidden: () => !beside(by) });
  const back = h("button.button", { text: say("back"), ...turn(-1) });
  const next = h("button.button.next", { text: () => say("nextStep", { section: beside(1)?.name }), ...turn(1) });
  const isLater = () => isStepped() && current !== shown()[0];
  const isAway = (section) => () => !shown().includes(section) || (hasSteps && section !== current);
  const node = h(
    "div.main",
    { inert: () => session.isBusy },
    h("nav", { "aria-label": say("steps"), hidden: () => !isStepped() }, h("ol.steps", {}, offer.sections.map(step))),
    offer.required.length > 0 && group({ name: say("included"), slots: offer.required }, isLater),
    offer.sections.map((section) => group(section, isAway(section))),
    h("div.pager", { hidden: () => !isStepped() }, back, next),
  );
  return { node, open, follow, reveal, current: () => current };
}
