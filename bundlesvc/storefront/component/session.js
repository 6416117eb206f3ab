/** One shopper's session with a bundle: sections, selection, purchase. */

import { priceFormatter, shownPrice } from "../client/client.js";
import { Configuring } from "./configuring.js";
import { chooseElsewhere, isOutdated } from "./selection/changes.js";
import { Offer } from "./selection/offer.js";
import { Quote } from "./selection/quote.js";
import { h, picture, refresh, uid } from "./view/dom.js";
import { newsOf } from "./view/news.js";
import { priceBar } from "./view/price-bar.js";
import { sections } from "./view/sections.js";
import { summary } from "./view/summary.js";

/** @import { FieldsOf, Host, News, Plan, Read, Refusal, Sections, Thrown, Wanted } from "./types.js" */
/** @import { ShownPrice } from "../client/client.js" */

const WIDTHS = [160, 320, 640, 1280];

export class Session {
  attempted = false;
  isBusy = false;
  /** @type {Plan | null} */
  plan = null;
  email = "";
  outcome = "";
  hasFailed = false;
  /**
   * The service's refusal of something that this copy of the bundle allows; null if there is none.
   *
   * @type {Refusal | null}
   */
  refusal = null;
  /**
   * The changes since the previous copy; null when there are none, and after the next choice.
   *
   * @type {News | null}
   */
  news = null;
  /**
   * Null while the bundle has nothing to choose from.
   *
   * @type {Sections | null}
   */
  sections = null;
  ended = new AbortController();
  #configuring = new Configuring();

  /**
   * @param {Read} read
   * @param {Host} host
   * @param {Session | null} before the session that this one continues, if it is of the same bundle
   */
  constructor(read, host, before) {
    this.host = host;
    /** @type {Read["bundle"]} */
    this.bundle = read.bundle;
    this.client = read.client;
    this.baseUrl = read.baseUrl;
    this.country = read.country;
    this.visitorId = read.visitorId;
    this.say = read.say;
    this.number = read.number;
    this.anyOf = read.anyOf;
    this.failed = read.failed;
    const { wanted } = read;
    const plans = this.bundle.sellingPlans ?? [];
    this.offer = new Offer(this.bundle);
    this.money = priceFormatter(this.bundle.settings, this.bundle.locale);
    if (plans[0]?.required) this.plan = plans[0];
    const earlier = before?.bundle.id === this.bundle.id ? before : null;
    if (earlier) this.#take(earlier, plans);
    if (wanted) this.#note(this.#choose(wanted));
    /** @type {Quote} */
    this.quote = new Quote(this, []);
    if (earlier?.refusal && !wanted) this.#compare(earlier);
    /** @type {HTMLElement} */
    this.node = this.#view();
    this.sections?.open(earlier?.sections?.current()?.id);
    this.#show();
  }

  /** Writes an amount in the shopper's currency; `money` uses the shop's. */
  price = (/** @type {string} */ amount) => this.money(amount, this.offer.currency);

  image = (/** @type {string | null | undefined} */ address) =>
    address && URL.canParse(address, this.baseUrl) ? new URL(address, this.baseUrl).href : null;

  /** An image's addresses in several widths, in the form of `srcset`; null if its server offers no widths. */
  widths = (/** @type {string | null | undefined} */ address) => {
    const { origin = "", parameter } = this.bundle.settings.imageWidths ?? {};
    if (!parameter || !address?.startsWith(`${origin}/`)) return null;
    const base = address + (address.includes("?") ? "&" : "?") + parameter;
    return WIDTHS.map((width) => `${base}=${width} ${width}w`).join();
  };

  /** @type {FieldsOf} */
  fields = ({ product }) => this.bundle.personalisation?.[product.platformProductId] ?? [];

  /** The new price that the shopper is asked to accept; null when the shopper is not asked. */
  get asked() {
    return this.quote.failures.length ? null : (this.news?.changes.price ?? null);
  }

  /**
   * Shows changes to the selection. `what` is announced together with the price.
   *
   * @param {string} [what]
   */
  changed = (what) => {
    this.outcome = "";
    this.news = null;
    this.quote = new Quote(this, []);
    this.#show();
    const { label, price, reasons, tier, messages } = this.quote;
    const parts = [what, `${label} ${price}`, reasons[0], tier, ...messages].filter(Boolean);
    this.host.announce(parts.map((part) => /** @type {string} */ (part).replace(/[.!?]?$/, ".")).join(" "));
    this.report();
  };

  report() {
    const { selection, pricing, presentment, failures } = this.quote;
    this.host.emit("bundle:change", { selection, pricing, presentment, failures });
  }

  /**
   * Replaces the chosen items with a selection.
   *
   * @param {Wanted} selection
   */
  open(selection) {
    const leftOut = this.#choose(selection);
    this.attempted = false;
    this.sections?.open();
    this.changed(leftOut);
    this.#note(leftOut);
    this.#show();
  }

  end() {
    this.ended.abort();
  }

  reset() {
    for (const slot of this.offer.slots) slot.clear();
    this.attempted = false;
    this.sections?.open();
    this.changed();
  }

  /**
   * Configures the selection. `price` is the price that the shopper has seen, in the form that configure accepts.
   *
   * @param {ShownPrice} [price]
   */
  async buy(price = this.#shown()) {
    if (this.isBusy) return;
    if (this.quote.failures.length) return this.#point();
    this.#set({ isBusy: true, outcome: "" });
    try {
      const { bundle, country, visitorId } = this;
      const { selection, evaluation } = this.quote;
      const chosen = { bundle, selection, evaluation, price, country, visitorId };
      const result = await this.#configuring.configure(this.client, chosen, this.ended.signal);
      this.#set({ isBusy: false });
      this.dismiss();
      if (!this.host.emit("bundle:addtocart", { result, bundle, selection })) return;
      this.reset();
      this.#set({ outcome: this.say("added"), hasFailed: false });
    } catch (error) {
      if (!this.ended.signal.aborted) this.#refuse(/** @type {Thrown} */ (error));
    }
  }

  /** Dismisses the news. The focus stays in the bar. */
  dismiss() {
    const { activeElement } = /** @type {ShadowRoot} */ (this.node.getRootNode());
    const hadFocus = /** @type {HTMLElement} */ (this.node.querySelector(".news")).contains(activeElement);
    this.#set({ news: null });
    if (hadFocus) /** @type {HTMLElement} */ (this.node.querySelector(".buy")).focus();
  }

  /**
   * Reports what has changed since the previous session, in which the service refused a purchase. Unless the focus is
   * elsewhere in the page, it moves to the report, or to a fault if the report has no sentences.
   *
   * @param {boolean} mayFocus
   */
  tellNews(mayFocus) {
    const { bundle, news, quote, asked } = this;
    if (!news) return;
    const { rulesChanged, removed } = news.changes;
    this.host.emit("bundle:update", { bundle, rulesChanged, removed, price: asked });
    if (mayFocus && news.sentences.length)
      /** @type {HTMLElement | null} */ (this.node.querySelector(".news"))?.focus({ preventScroll: true });
    else if (mayFocus) this.#point();
    this.host.announce([...news.sentences, ...quote.reasons].join(" "));
  }

  /** The price that the shopper sees. */
  #shown() {
    const { pricing, presentment } = this.quote;
    return shownPrice(this.offer.isForeign ? { pricing: null, presentment } : { pricing });
  }

  /**
   * Ends the session when this copy of the bundle is outdated. The next session explains why.
   *
   * @param {Thrown} error
   */
  #refuse(error) {
    const problem = this.host.report(error);
    if (isOutdated(error)) {
      this.refusal = /** @type {Refusal} */ (error);
      return this.host.reload();
    }
    this.isBusy = false;
    if ("details" in error && error.details.length) {
      this.quote = new Quote(this, error.details);
      this.#point();
    } else this.#set({ outcome: this.failed(problem), hasFailed: true });
  }

  /** @param {Session} before */
  #compare(before) {
    this.news = newsOf(before, this);
    const { details } = this.news.changes;
    if (!this.quote.failures.length) this.quote = new Quote(this, details);
    this.attempted = this.quote.failures.length > 0;
  }

  #point() {
    this.#set({ attempted: true });
    const fault = this.node.querySelector("[aria-invalid]");
    this.sections?.reveal(fault);
    const [hint, reasons] = [".hint", ".reasons"].map((part) => this.node.querySelector(part));
    const target = /** @type {HTMLElement | null | undefined} */ (
      [fault, hint, reasons].find((part) => part?.checkVisibility())
    );
    target?.focus({ preventScroll: target === hint });
    this.host.announce(this.quote.reasons.join(". "));
  }

  /**
   * @param {Session} before
   * @param {readonly Plan[]} plans
   */
  #take(before, plans) {
    const key = (/** @type {Plan | null} */ plan) => plan && [plan.groupId, plan.frequency, plan.unit].join();
    this.offer.take(before.offer);
    chooseElsewhere(before.offer, this.offer, this.fields);
    this.plan = plans.find((plan) => key(plan) === key(before.plan)) ?? this.plan;
    this.email = before.email;
  }

  /**
   * Chooses those items of a selection that the bundle offers. Returns a sentence when anything is left out.
   *
   * @param {Wanted} wanted
   */
  #choose({ items, subscription, isLost = false }) {
    const plans = this.bundle.sellingPlans ?? [];
    const wanted = subscription ?? { id: null, frequency: null, unit: null };
    const isWanted = (/** @type {Plan} */ { groupId, frequency, unit }) =>
      groupId === wanted.id && frequency === wanted.frequency && unit === wanted.unit;
    const plan = plans.find(isWanted) ?? null;
    this.plan = plan ?? (plans[0]?.required ? plans[0] : null);
    const isWhole = this.offer.choose(items, this.fields) && !isLost && Boolean(plan) === Boolean(subscription);
    return isWhole ? "" : this.say("leftOut");
  }

  /** @param {string} outcome */
  #note(outcome) {
    if (!outcome) return;
    this.outcome = outcome;
    this.hasFailed = true;
  }

  /** @param {Partial<Pick<Session, "attempted" | "isBusy" | "outcome" | "hasFailed" | "news">>} state */
  #set(state) {
    Object.assign(this, state);
    this.#show();
  }

  #show() {
    this.sections?.follow();
    refresh(this.node);
  }

  /** @returns {HTMLElement} */
  #view() {
    const { bundle, offer, say } = this;
    const name = h("h2.name", { text: bundle.name, tabindex: -1 });
    const text = h("div", {}, name, bundle.description && h("p.note", bundle.description));
    const head = h("header.head", {}, bundle.imageUrl && picture("div.cover", this, () => bundle.imageUrl), text);
    if (!offer.slots.length) return h("div.builder", {}, head, h("p.notice", say("empty")));
    const reasons = uid();
    this.sections = sections(this);
    const side = h("div.side", {}, summary(this, reasons), priceBar(this, reasons));
    return h("div.builder", {}, head, h("div.columns", {}, this.sections.node, side));
  }
}
