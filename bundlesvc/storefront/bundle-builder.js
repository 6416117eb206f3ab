/** The element <bundle-builder> (docs/web-component.md). */

import { ServiceError, createClient } from "./client/client.js";
import { sleep } from "./client/service.js";
import { isPuzzling } from "./component/changes.js";
import { h, put } from "./component/dom.js";
import { log, problemOf } from "./component/failures.js";
import { waitBeforeTry } from "./component/retrying.js";
import { Session } from "./component/session.js";
import { furnish } from "./component/stage.js";
import { sheet } from "./component/styles.js";
import { wordsOf } from "./component/words.js";

/** @import { Client, CountryChange, EmbedBundleOptions, MarkedItem } from "./client/client.js" */
/** @import { Emit, On, Read, Refusal, Thrown, Wanted, Words } from "./component/types.js" */
/** @import { Problem } from "./bundle-builder.js" */

// A service that has not responded by then does not answer.
const DEADLINE_MS = 15_000;
// By then, all processes of the service know of a change.
const SPREAD_MS = 2000;
// Fetched along with the bundle. Without it, a bundle cannot be completed; all else works.
const completing = () =>
  import("./component/completing.js").then(
    ({ addCompleting }) => addCompleting,
    () => null,
  );
// Fetched when a server has drawn the bundle. Without it, what a shopper does before the component is there is lost.
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
// Of several quick changes, screen readers announce the last.
const QUIET_MS = 400;

/** The words to show until the service has sent its own. */
const FIRST = {
  en: {
    loading: "Loading …",
    retry: "Try again",
    again: "This page will try again by itself.",
    error: "Something went wrong.",
    "error-offline": "You seem to be offline.",
    "error-unreachable": "This shop is not answering.",
    "error-403":
      "This shop cannot be reached from here. Its owner should check the API key, and whether it allows {origin}.",
    "error-404": "This bundle is not available.",
    "error-429": "Too many requests. Please wait a moment.",
  },
  de: {
    loading: "Wird geladen …",
    retry: "Noch einmal versuchen",
    again: "Die Seite versucht es gleich von selbst noch einmal.",
    error: "Etwas ist schiefgegangen.",
    "error-offline": "Du bist offenbar offline.",
    "error-unreachable": "Dieser Shop antwortet nicht.",
    "error-403":
      "Dieser Shop ist von hier nicht erreichbar. Sein Betreiber sollte prüfen, ob der API-Schlüssel gilt und {origin} zulässt.",
    "error-404": "Dieses Paket ist nicht erhältlich.",
    "error-429": "Zu viele Anfragen. Bitte warte einen Moment.",
  },
};

// A server that renders pages has no elements: there the module can be imported, and defines none.
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

  #stage = h("div.root");
  /**
   * While the element shows what a server has drawn: the module that takes that over.
   *
   * @type {ReturnType<typeof takingOver> | null}
   */
  #takingOver = null;
  // What the page has between the tags is shown until there is a bundle.
  #fallback = h("slot");
  #live = h("p.vh", { role: "status" });
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
  /**
   * What the attribute `configured` last named, and its bundle, or why that cannot be read.
   *
   * @type {{ name?: string | null, bundleId?: number, error?: unknown }}
   */
  #configured = {};
  #isFresh = false;
  /** @type {readonly MarkedItem[]} */
  #cartItems = [];
  /**
   * Fetched when the page gives the element the items of its cart.
   *
   * @type {ReturnType<typeof cartCountry> | undefined}
   */
  #cartCountry;
  #hadFocus = false;
  #timer = 0;
  // How often it has tried again by itself since it last had a bundle.
  #tries = 0;

  constructor() {
    super();
    const drawn = this.shadowRoot;
    const root = drawn ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    if (drawn) this.#takingOver = takingOver(drawn);
    else this.#furnish();
  }

  /** In place of what a server has drawn, if it has drawn anything. */
  #furnish() {
    /** @type {ShadowRoot} */ (this.shadowRoot).replaceChildren(
      this.#header(),
      this.#stage,
      this.#fallback,
      this.#live,
    );
    this.#takingOver = null;
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
    clearTimeout(this.#timer);
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(_name, before, now) {
    if (this.isConnected && before !== now) this.#readSoon();
  }

  /** A page's own header replaces that of the bundle. It is there before the bundle, and stays. */
  #header() {
    const isFilled = (/** @type {On<HTMLSlotElement>} */ { target }) =>
      put(this.#stage, "data-headed", target.assignedElements().length > 0);
    return h("slot", { name: "header", onslotchange: isFilled });
  }

  #firstWords() {
    return wordsOf(FIRST[/^de\b/i.test(this.#language ?? "") ? "de" : "en"]);
  }

  reload = () => {
    this.#isFresh = true;
    this.#readSoon();
  };

  /** Reads once for all attributes that change together. */
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
      const options = this.#options();
      const client = createClient({ ...options, deadlineMs: DEADLINE_MS });
      const named = await this.#bundleOf(client, options, signal);
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
   * Once more when the first response does not explain why the service refused what is chosen.
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

  #options() {
    const get = (/** @type {string} */ name) => this.getAttribute(name) || undefined;
    const [id, productHandle] = [get("bundle-id"), get("product-handle")];
    if (!id && !productHandle && !get("configured")) {
      throw new TypeError("<bundle-builder> needs a bundle-id, a product-handle or configured.");
    }
    const apiKey = get("api-key");
    if (!apiKey) throw new TypeError("<bundle-builder> needs an api-key.");
    return {
      apiKey,
      baseUrl: new URL(get("base-url") ?? "/api/headless/v1", document.baseURI).href,
      ...(id ? { id: Number(id) } : { productHandle }),
      lang: this.#language,
      forceTemplate: get("template"),
      visitorId: get("visitor-id"),
      countryCode: get("country"),
    };
  }

  /**
   * The bundle of the attribute `configured`, whose selection is read once. One that cannot be found is left out.
   *
   * @param {Client} client
   * @param {{ id?: number, productHandle?: string }} named
   * @param {AbortSignal} signal
   */
  async #bundleOf(client, { id, productHandle }, signal) {
    const name = this.getAttribute("configured");
    if (name !== this.#configured.name) {
      this.#configured = { name, ...(name && (await this.#readConfigured(client, name, signal))) };
    }
    const { bundleId } = this.#configured;
    if (bundleId) return { id: bundleId, abBypass: true };
    if (name && !id && !productHandle) throw this.#configured.error;
    return {};
  }

  /**
   * @param {Client} client
   * @param {string} name
   * @param {AbortSignal} signal
   */
  async #readConfigured(client, name, signal) {
    const [, id, unique] = /^(\d+)(?::|#\d+#)([0-9a-f]{32})$/.exec(name) ?? [];
    if (!id)
      throw new TypeError("configured is the id and the unique id of a configured bundle, with a colon between.");
    try {
      const { bundleId, selection } = await client.readConfigured(id, unique, { signal });
      this.#wanted = { items: selection.products, subscription: selection.subscription };
      return { bundleId };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      this.#wanted = { items: [], isLost: true };
      return { error };
    }
  }

  #takeWanted() {
    const wanted = this.#wanted;
    this.#wanted = null;
    return wanted;
  }

  /**
   * A property that was set before the element was defined.
   *
   * @param {string} name
   */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = Reflect.get(this, name);
    Reflect.deleteProperty(this, name);
    Reflect.set(this, name, value);
  }

  get #language() {
    return this.closest("[lang]")?.getAttribute("lang") || undefined;
  }

  #wait() {
    this.#hadFocus ||= Boolean(this.shadowRoot?.activeElement);
    const hasContent = this.#takingOver || [...this.children].some(({ slot }) => !slot);
    if (!this.#session && !hasContent)
      this.#show(skeleton(this.#firstWords()), this.getAttribute("template"), this.#language);
    put(this.#stage, "aria-busy", "true");
    this.#stage.inert = true;
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
    const wanted = this.#takeWanted();
    const host = { emit: this.#emit, report: this.#report, announce: this.#announce, reload: this.reload };
    const session = new Session({ ...read, wanted }, host, before);
    this.#session = session;
    this.#fallback.hidden = true;
    this.#show(session.node, read.bundle.templateCode, read.bundle.locale);
    complete(session);
    const isLeft = document.activeElement === document.body;
    const { news } = session;
    this.#keepFocus(!news);
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
    const words = this.#firstWords();
    this.#show(failure(words, problem, this.reload, wait !== null), this.getAttribute("template"), this.#language);
    this.#keepFocus();
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
    this.#announce(`${reason} ${this.#firstWords().say("again")}`);
    const timer = setTimeout(() => this.#readSoon(), wait);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    this.#tries += 1;
  }

  /**
   * @param {HTMLElement} view
   * @param {string | null} template
   * @param {string | undefined} locale
   */
  #show(view, template, locale) {
    const stage = this.#stage;
    stage.inert = false;
    put(stage, "aria-busy", false);
    furnish(stage, template, locale);
    stage.replaceChildren(view);
    if (this.#takingOver) this.#furnish();
  }

  #keepFocus(mayMove = true) {
    const isLeft = document.activeElement === document.body;
    if (this.#hadFocus && isLeft && mayMove) this.#focusTop();
    this.#hadFocus = false;
  }

  #focusTop() {
    const headings = /** @type {HTMLElement[]} */ ([...this.#stage.querySelectorAll(".name, .notice, .heading")]);
    headings.find((node) => node.checkVisibility())?.focus();
  }

  /** @param {string} text */
  #announce = (text) => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => put(this.#live, "text", text), QUIET_MS);
  };

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

/**
 * A placeholder of about a bundle's size, so that the page does not jump.
 *
 * @param {Words} words
 */
function skeleton({ say }) {
  const cards = Array.from({ length: 6 }, () => h("li.card.ghost"));
  const grid = h("ul.grid", { "aria-hidden": "true" }, cards);
  return h("div.builder.waiting", {}, h("p.vh", { role: "status", text: say("loading") }), h("div.ghost"), grid);
}

/**
 * Whether another try may help: not where the page has set something up wrongly.
 *
 * @param {Problem} problem
 */
function mayHelp({ code, status }) {
  return status === null ? code !== "page_error" : status === 429 || status >= 500 || status < 400;
}

/**
 * @param {Words} words
 * @param {Problem} problem
 * @param {() => void} retry
 * @param {boolean} isWaiting
 */
function failure({ say, failed }, problem, retry, isWaiting) {
  const button = mayHelp(problem) && h("button.button", { text: say("retry"), onclick: retry });
  const text = [h("p", failed(problem)), isWaiting && h("p.note", say("again"))];
  return h("div.builder", {}, h("div.notice", { role: !isWaiting && "alert", tabindex: -1 }, text, button));
}

if (!customElements?.get("bundle-builder")) customElements?.define("bundle-builder", BundleBuilder);
