/** The element <bundle-builder> (docs/web-component.md). */

import { createClient } from "./client/client.js";
import { sleep } from "./client/service.js";
import { Configured, languageOf, optionsOf } from "./component/attributes.js";
import { log, problemOf } from "./component/failures.js";
import { waitBeforeTry } from "./component/retrying.js";
import { isPuzzling } from "./component/selection/changes.js";
import { Session } from "./component/session.js";
import { failure, firstWords, skeleton } from "./component/view/placeholder.js";
import { Stage } from "./component/view/stage.js";
import { sheet } from "./component/view/styles.js";
import { wordsOf } from "./component/words.js";

/** @import { Client, CountryChange, EmbedBundleOptions, MarkedItem } from "./client/client.js" */
/** @import { Emit, Read, Refusal, Thrown, Wanted } from "./component/types.js" */

// After this time without a response, the service counts as unreachable.
const DEADLINE_MS = 15_000;
// After this time, all processes of the service know of a change.
const SPREAD_MS = 2000;
// Fetched together with the bundle. If this fails, a bundle cannot be completed; everything else works.
const completing = () =>
  import("./component/completing.js").then(
    ({ addCompleting }) => addCompleting,
    () => null,
  );
// Fetched when a server has drawn the bundle. If this fails, the shopper's actions before the component has loaded are lost.
const takingOver = (/** @type {ShadowRoot} */ root) =>
  import("./component/taking-over.js").then(
    ({ watch }) => watch(root),
    () => null,
  );
const pageTools = (/** @type {HTMLElement} */ element, /** @type {Session} */ session) =>
  import("./component/page-tools.js").then(
    ({ offerTools }) => offerTools(element, session),
    () => {},
  );
const cartCountry = (/** @type {(change: CountryChange) => void} */ emit) =>
  import("./component/cart-country.js").then(
    ({ CartCountry }) => new CartCountry(emit),
    () => null,
  );
// During server-side rendering, there are no elements. The module can be imported then, but defines none.
const { HTMLElement = /** @type {typeof globalThis.HTMLElement} */ (class {}), customElements } = globalThis;

export class BundleBuilder extends HTMLElement {
  static observedAttributes = [
    "bundle-id",
    "product-handle",
    "api-key",
    "base-url",
    "country",
    "lang",
    "template",
    "visitor-id",
    "configured",
    "tools",
  ];

  /** @type {Stage} */
  #stage;
  /**
   * The module that takes over the content that a server has drawn, while the element still shows it.
   *
   * @type {ReturnType<typeof takingOver> | null}
   */
  #takingOver = null;
  /** @type {Session | null} */
  #session = null;
  /** @type {AbortController | null} */
  #reading = null;
  #isDue = false;
  #isOpen = false;
  /**
   * The selection to open.
   *
   * @type {Wanted | null}
   */
  #wanted = null;
  #configured = new Configured((wanted) => {
    this.#wanted = wanted;
  });
  #isFresh = false;
  /** @type {readonly MarkedItem[]} */
  #cartItems = [];
  /**
   * The module for the country of a cart, fetched when the page sets the items of its cart.
   *
   * @type {ReturnType<typeof cartCountry> | undefined}
   */
  #cartCountry;
  // The number of automatic retries since it last had a bundle.
  #tries = 0;

  constructor() {
    super();
    const drawn = this.shadowRoot;
    const root = drawn ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.#stage = new Stage(root);
    if (drawn) this.#takingOver = takingOver(drawn);
    else this.#stage.fill();
  }

  get bundle() {
    return this.#session?.bundle ?? null;
  }

  get selection() {
    return this.#session?.quote.selection ?? null;
  }

  set selection(selection) {
    const wanted = selection ?? { items: [] };
    if (this.#isOpen && this.#session) this.#session.open(wanted);
    else this.#wanted = wanted;
  }

  get cartItems() {
    return this.#cartItems;
  }

  set cartItems(items) {
    this.#cartItems = items ?? [];
    if (this.#isOpen) this.#followCountry();
  }

  connectedCallback() {
    this.#upgrade("selection");
    this.#upgrade("cartItems");
    this.#readSoon();
  }

  disconnectedCallback() {
    this.#reading?.abort();
    this.#session?.end();
    this.#cartCountry?.then((following) => following?.end());
    this.#stage.end();
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(_name, before, now) {
    if (this.isConnected && before !== now) this.#readSoon();
  }

  reload = () => {
    this.#isFresh = true;
    this.#readSoon();
  };

  /** Reads the attributes once, even if several change together. */
  #readSoon() {
    this.#isOpen = false;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) this.#read();
    });
  }

  reset() {
    this.#session?.reset();
  }

  async #read() {
    this.#reading?.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#wait();
    try {
      const options = optionsOf(this);
      const client = createClient({ ...options, deadlineMs: DEADLINE_MS });
      const named = await this.#configured.bundleOf(client, this.getAttribute("configured"), options, signal);
      const request = /** @type {EmbedBundleOptions} */ ({ ...options, ...named, fresh: this.#isFresh, signal });
      const later = completing();
      const bundle = await this.#fetch(client, request);
      const words = wordsOf(bundle.settings.texts, bundle.settings.locale);
      const complete = await Promise.race([later, sleep(SPREAD_MS, signal)]);
      const remember = await this.#takingOver;
      if (signal.aborted) return;
      const restore = remember?.();
      const read = { ...options, ...words, bundle, client, country: options.countryCode };
      this.#open(read, (session) => {
        complete?.(session);
        restore?.();
      });
    } catch (error) {
      if (!signal.aborted) this.#fail(/** @type {Thrown} */ (error), signal);
    }
  }

  /**
   * Fetches the bundle, and fetches it once more when the first response does not explain why the service refused the
   * selection.
   *
   * @param {Client} client
   * @param {EmbedBundleOptions} request
   */
  async #fetch(client, request) {
    const bundle = await client.embed.bundle(request);
    if (!this.#session?.refusal || !isPuzzling(/** @type {Session & { refusal: Refusal }} */ (this.#session), bundle))
      return bundle;
    await sleep(SPREAD_MS, request.signal);
    return client.embed.bundle(request);
  }

  /**
   * Sets a property again if it was set before the element was defined.
   *
   * @param {string} name
   */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = Reflect.get(this, name);
    Reflect.deleteProperty(this, name);
    Reflect.set(this, name, value);
  }

  #wait() {
    this.#stage.noteFocus();
    const hasContent = this.#takingOver || [...this.children].some(({ slot }) => !slot);
    if (!this.#session && !hasContent) this.#show(skeleton(firstWords(languageOf(this))));
    this.#stage.wait();
  }

  /**
   * @param {Omit<Read, "wanted">} read
   * @param {(session: Session) => void} complete
   */
  #open(read, complete) {
    const before = this.#session;
    before?.end();
    this.#isFresh = false;
    this.#tries = 0;
    this.#isOpen = true;
    const wanted = this.#wanted;
    this.#wanted = null;
    const host = { emit: this.#emit, report: this.#report, announce: this.#stage.announce, reload: this.reload };
    const session = new Session({ ...read, wanted }, host, before);
    this.#session = session;
    this.#stage.fallback.hidden = true;
    this.#show(session.node, read.bundle.templateCode, read.bundle.locale);
    complete(session);
    const isLeft = document.activeElement === document.body;
    const { news } = session;
    this.#stage.keepFocus(!news);
    this.#emit("bundle:ready", { bundle: read.bundle });
    this.#session.report();
    if (news) this.#session.tellNews(isLeft);
    if ("modelContext" in document || "modelContext" in navigator) pageTools(this, session);
    this.#followCountry();
  }

  async #followCountry() {
    if (!this.#cartItems.length && !this.#cartCountry) return;
    this.#cartCountry ??= cartCountry((change) => this.#emit("bundle:moved", change));
    const following = await this.#cartCountry;
    if (!this.#session || !this.isConnected) return;
    const { client, country } = this.#session;
    following?.follow(client, this.#cartItems, country ?? null, { api: "embed" });
  }

  /**
   * @param {Thrown} error
   * @param {AbortSignal} signal
   */
  #fail(error, signal) {
    const problem = problemOf(error);
    const wait = waitBeforeTry(error, this.#tries);
    const words = firstWords(languageOf(this));
    this.#show(failure(words, problem, this.reload, wait !== null));
    this.#stage.keepFocus();
    window.addEventListener("online", this.reload, { once: true, signal });
    if (wait !== null) this.#tryAfter(wait, signal, words.failed(problem));
    this.#report(error, problem);
  }

  /**
   * @param {number} wait
   * @param {AbortSignal} signal
   * @param {string} reason
   */
  #tryAfter(wait, signal, reason) {
    this.#stage.announce(`${reason} ${firstWords(languageOf(this)).say("again")}`);
    const timer = setTimeout(() => this.#readSoon(), wait);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    this.#tries += 1;
  }

  /**
   * @param {HTMLElement} view
   * @param {string | null} [template]
   * @param {string} [locale]
   */
  #show(view, template = this.getAttribute("template"), locale = languageOf(this)) {
    this.#stage.show(view, template, locale);
    if (this.#takingOver) this.#stage.fill();
    this.#takingOver = null;
  }

  /** @param {Thrown} error */
  #report = (error, problem = problemOf(error)) => {
    log(problem, error);
    this.#emit("bundle:error", { error, problem });
    return problem;
  };

  /** @type {Emit} */
  #emit = (name, detail) => {
    const cancelable = name === "bundle:addtocart";
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  };
}

if (!customElements?.get("bundle-builder")) customElements?.define("bundle-builder", BundleBuilder);
