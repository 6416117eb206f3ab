/** "Finish my box": completes the selection with items that the service suggests, and can undo the completion. */

import { ServiceError } from "../client/client.js";
import { demandSentence } from "./selection/sentences.js";
import { itemOf } from "./selection/slot.js";
import { each, h, put, refresh } from "./view/dom.js";

/** @import { ChangedUnits, Reason, SelectedItem, Solution } from "../client/client.js" */
/** @import { Session } from "./session.js" */
/** @import { On, Thrown } from "./types.js" */

const MAX_PLACES = 24;
export const css = `
.completing { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; justify-content: space-between; margin-block: 2px 6px; }
.completing > .places { flex: 1 1 9em; }
.place { display: block; width: 24px; height: 24px; border: 1px dashed var(--edge); border-radius: 6px; overflow: hidden; }
.place[data-filled] { border: 2px solid var(--accent); background: var(--subtle); }
.place img { display: block; width: 100%; height: 100%; object-fit: cover; }
.place img[data-broken] { visibility: hidden; }
.places ul { display: flex; flex-wrap: wrap; gap: 4px; margin: 0 0 2px; padding: 0; list-style: none; }
.impossible { flex-basis: 100%; }
.completing:not(:has(> :not([hidden], :empty))) { display: none; }
`;
// A server has no `CSSStyleSheet`.
const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
sheet?.replaceSync(css);

/**
 * Adds the button and the places of a box to a session's view, if the bundle has something to choose from.
 *
 * @param {Session} session
 */
export function addCompleting(session) {
  const bar = session.node.querySelector(".bar");
  if (!bar) return;
  const { adoptedStyleSheets } = /** @type {ShadowRoot} */ (session.node.getRootNode());
  if (adoptedStyleSheets?.includes(sheet) === false) adoptedStyleSheets.push(sheet);
  bar.querySelector(".hint")?.after(refresh(new Completing(session).node));
}

class Completing {
  #session;
  /** The selection before and after it was completed; null when there is nothing to undo. */
  #undoable = /** @type {{ before: readonly SelectedItem[], after: string } | null} */ (null);
  /** A selection, as text, that cannot be completed, and the reason why. */
  #impossible = { selection: "", text: "" };
  #isAsking = false;

  /** @param {Session} session */
  constructor(session) {
    const { say } = session;
    this.#session = session;
    const button = h("button.button.finish", {
      text: () =>
        say(this.#isAsking ? "finishing" : this.#isUndoable() ? "undo" : this.#count() ? "finish" : "surprise"),
      "aria-disabled": () => this.#isAsking && "true",
      hidden: () => !this.#isUndoable() && !this.#mayFinish(),
      onclick: () => this.#act(),
    });
    const impossible = h("p.impossible", { "data-fault": true, tabindex: -1, text: () => this.#refusal() });
    this.node = h("div.completing", {}, this.#places(), button, impossible);
  }

  #items() {
    return this.#session.offer.slots.flatMap(({ units }) => units).map(itemOf);
  }

  #written() {
    return JSON.stringify(this.#items());
  }

  #count() {
    return this.#session.quote.units.length;
  }

  #isUndoable() {
    return this.#undoable?.after === this.#written();
  }

  /**
   * Whether the service can help, because rules are not met or the selection is empty. Only the shopper can provide
   * answers and an e-mail address.
   */
  #mayFinish() {
    const { evaluation } = this.#session.quote;
    const code = evaluation.refusal?.code;
    return !this.#refusal() && (code === "rules_not_met" || (code === "selection_invalid" && !this.#count()));
  }

  #refusal() {
    return this.#impossible.selection === this.#written() ? this.#impossible.text : "";
  }

  /** A box of a fixed size has a place for each unit. Screen readers read the number of filled places. */
  #places() {
    const { bundle, image, say } = this.#session;
    const sizes = bundle.limitRules
      .filter(
        ({ type, operation, sectionId }) => type === "total-number-of-products" && operation === "eq" && !sectionId,
      )
      .map(({ value }) => Number(value))
      .sort((one, other) => one - other);
    const size = () => sizes.find((each) => each >= this.#count()) ?? sizes.at(-1) ?? 0;
    const places = () => Array.from({ length: size() <= MAX_PLACES ? size() : 0 }, (_, place) => place);
    const unit = (/** @type {number} */ place) => this.#session.quote.units[place];
    const place = (/** @type {number} */ number) => {
      const address = () => unit(number) && image(unit(number).slot.product.imageUrl);
      const mark = (/** @type {On<HTMLImageElement>} */ { target, type }) =>
        put(target, "data-broken", type === "error");
      const img = h("img", { alt: "", src: address, hidden: () => !address(), onerror: mark, onload: mark });
      return h("li.place", { "data-filled": () => Boolean(unit(number)) }, img);
    };
    const filled = () => say("filled", { count: this.#count(), total: size() });
    const list = each(h("ul", { "aria-hidden": "true" }), places, place);
    return h("div.places", { hidden: !sizes.length }, list, h("p.note", { text: filled }));
  }

  async #act() {
    if (this.#isAsking || this.#session.isBusy) return;
    if (this.#isUndoable()) return this.#undo();
    this.#show({ isAsking: true });
    const asked = this.#written();
    try {
      const { solutions, impossible } = await this.#ask();
      if (asked !== this.#written() || !this.node.isConnected) return;
      if (solutions.length) this.#take(solutions[0]);
      else this.#refuse(impossible);
    } catch (error) {
      if (this.node.isConnected) this.#fail(/** @type {Thrown} */ (error));
    } finally {
      this.#show({ isAsking: false });
    }
  }

  #ask() {
    const { client, bundle, country, quote, offer } = this.#session;
    const { items, subscription } = quote.selection;
    const products = offer.slots.map(({ product }) => product.platformProductId);
    // For a surprise, prefer products that are drawn at random.
    const prefer = this.#count() ? [] : products.filter(() => Math.random() < 1 / 3);
    return client.embed.complete(bundle.id, { products: items, countryCode: country, subscription, prefer });
  }

  /** @param {Solution} solution */
  #take({ products, added, removed }) {
    const { offer, fields, say } = this.#session;
    const before = this.#items();
    offer.choose(products, fields);
    const titles = (/** @type {readonly ChangedUnits[]} */ changes) =>
      changes.map(({ variant, quantity }) => `${quantity} × ${offer.nameOf(variant)}`).join(", ");
    const said = [
      added.length && say("finished", { titles: titles(added) }),
      removed.length && say("finishedWithout", { titles: titles(removed) }),
    ];
    this.#undoable = { before, after: this.#written() };
    this.#session.changed(said.filter(Boolean).join(" "));
  }

  #undo() {
    const { offer, fields, say } = this.#session;
    const before = this.#undoable?.before ?? [];
    this.#undoable = null;
    offer.choose(before, fields);
    this.#session.changed(say("undone"));
  }

  /**
   * Shows why no completion was found. `reasons` is null when the search was inconclusive.
   *
   * @param {readonly Reason[] | null} reasons
   */
  #refuse(reasons) {
    const { say, host } = this.#session;
    const sentences = new Set(reasons?.map((reason) => this.#sentence(reason)));
    const text = reasons ? [say("impossible"), ...sentences].join(" ") : say("notFound");
    this.#impossible = { selection: this.#written(), text };
    host.announce(text);
    this.#show({ isAsking: false });
    // The button that had the focus is now hidden.
    /** @type {HTMLElement | null} */ (this.node.querySelector(".impossible"))?.focus({ preventScroll: true });
  }

  /** @param {Reason} reason */
  #sentence({ code, rule }) {
    const { bundle, offer, say } = this.#session;
    const [kind, place] = rule.split(".");
    if (kind === "requiredProducts") {
      return say("fault-required_missing", {
        title: offer.nameOf("", bundle.requiredProducts[Number(place)].platformProductId),
      });
    }
    if (kind !== "limitRules")
      return say(code === "sold_out" || code.startsWith("not_") ? "impossibleStock" : "impossibleRest");
    return demandSentence(this.#session, bundle.limitRules[Number(place)]);
  }

  /**
   * Removes the button and the places of the box if the service offers no completions; reports any other error.
   *
   * @param {Thrown} error
   */
  #fail(error) {
    const { host, failed } = this.#session;
    if (error instanceof ServiceError && error.status === 404) return this.node.remove();
    const text = failed(host.report(error));
    this.#session.outcome = text;
    this.#session.hasFailed = true;
    host.announce(text);
  }

  /** @param {{ isAsking: boolean }} state */
  #show({ isAsking }) {
    this.#isAsking = isAsking;
    refresh(this.#session.node);
  }
}
