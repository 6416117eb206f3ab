/** The two views of the shop: all bundles, and a single bundle to fill. */

import { h, part } from "./dom.js";
import { editingNote, shareLink } from "./editing.js";
import { money } from "./money.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./types.js").Shop} Shop */
/** @typedef {import("./types.js").ShopData} ShopData */
/** @typedef {import("../../storefront/client/client.js").BundleOffer} BundleOffer */
/** @typedef {import("../../storefront/client/client.js").EmbedBundle} EmbedBundle */

/** The component's attributes, by the name of the state value that sets each. An empty value removes the attribute. */
const FROM_STATE = /** @type {const} */ ({ country: "country", template: "template", visitor: "visitor-id" });

/** Links within the shop. */
export const LINKS = "a[data-bundle], a[data-home]";

/**
 * @param {Shop} shop
 * @returns {HTMLElement[]}
 */
export function home(shop) {
  const [first] = shop.bundles;
  return [
    h(
      "section.hero",
      {},
      h(
        "div",
        {},
        h("h1", { id: "title", tabindex: -1, text: say("hero") }),
        h("p.lead", { text: say("heroText") }),
        h("a.button", { href: "#bundles", text: say("heroLink") }),
      ),
      first?.imageUrl ? h("img.hero-picture", { src: first.imageUrl, alt: "", width: 400, height: 400 }) : null,
    ),
    h(
      "section",
      { id: "bundles", "aria-labelledby": "bundles-title" },
      h("h2", { id: "bundles-title", text: say("bundles") }),
      h("ul.cards", { role: "list" }, ...shop.bundles.map(card)),
    ),
  ];
}

function card(/** @type {BundleOffer} */ { id, name, description, imageUrl, fromPrice, discountSummary }) {
  const image = h("img", { src: imageUrl, alt: "", width: 400, height: 400, loading: "lazy" });
  return h(
    "li.card",
    { "data-testid": "bundle-card" },
    h("div.card-picture", {}, imageUrl ? image : null),
    h(
      "div.card-text",
      {},
      h("h3", {}, h("a.cover-link", { href: "", "data-bundle": id, text: name })),
      h("p", { text: description }),
      h("p.card-saving", {}, saving(discountSummary)),
      h("p.card-end", {}, price(fromPrice), h("span.card-open", { "aria-hidden": "true", text: say("fill") })),
    ),
  );
}

/** The from-price of a bundle, which may be unknown. */
function price(/** @type {string | null} */ fromPrice) {
  return fromPrice ? h("span.from-price", { text: say("from", { price: money(fromPrice) }) }) : null;
}

function saving(/** @type {string | null} */ discountSummary) {
  return discountSummary ? h("span.saving", { text: discountSummary }) : null;
}

/**
 * @param {Shop} shop
 * @param {number} id
 * @param {Address} address
 * @returns {HTMLElement[]}
 */
export function bundlePage(shop, id, address) {
  const known = shop.bundles.find((bundle) => bundle.id === id);
  if (!known) return [noSuchBundle()];
  const arrow = h("span", { "aria-hidden": "true", text: "← " });
  const back = h("a.back", { href: "", "data-home": true }, arrow, say("back"));
  return [
    h("div.page-head", {}, back, shareLink()),
    editingNote(address),
    h(
      "bundle-builder",
      { id: "builder", "bundle-id": id, "api-key": shop.apiKey, "base-url": baseUrl(shop) },
      bundleHero(known),
    ),
    h(
      "details.snippet",
      {},
      h("summary", { text: say("ownPage") }),
      h("pre", { tabindex: 0 }, h("code", { text: snippet(shop, known.id) })),
    ),
  ];
}

/** The component's header. It contains a level 2 heading, because the component's sections have level 3 headings. */
function bundleHero(/** @type {BundleOffer} */ { name, description, imageUrl, fromPrice, discountSummary }) {
  return h(
    "header.hero.bundle-hero",
    { slot: "header" },
    h(
      "div",
      {},
      h("h1", { id: "title", tabindex: -1, text: name }),
      h("p.lead", { id: "description", text: description }),
      h("p.offer", {}, price(fromPrice), saving(discountSummary)),
      h("h2.hidden-text", { text: say("open") }),
    ),
    imageUrl ? h("img.hero-picture", { id: "picture", src: imageUrl, alt: "", width: 400, height: 400 }) : null,
  );
}

/** Updates the header with what differs in the arm that an A/B test chose. */
export function showArm(/** @type {EmbedBundle} */ { name, description, imageUrl }) {
  part("title").textContent = name;
  part("description").textContent = description;
  if (imageUrl) part("picture")?.setAttribute("src", imageUrl);
}

function noSuchBundle() {
  return h(
    "section.message.not-found",
    {},
    h("h1", { id: "title", tabindex: -1, text: say("noSuchBundle") }),
    h("p", { text: say("noSuchBundleText") }),
    h("a.button", { href: "", "data-home": true, text: say("heroLink") }),
  );
}

/** Hides from-prices, which are known only in the shop's currency, where shoppers pay in another currency. */
export function setUpPrices(/** @type {Shop} */ shop, /** @type {Address} */ { state }) {
  const market = shop.countries.find(({ code }) => code === state.country);
  for (const price of document.querySelectorAll(".from-price")) {
    price.toggleAttribute("hidden", (market?.currency ?? shop.settings.currency) !== shop.settings.currency);
  }
}

/** Makes the links within the shop keep the current state. */
export function setUpLinks(/** @type {Address} */ address) {
  for (const link of document.querySelectorAll(LINKS)) {
    link.setAttribute(
      "href",
      address.to({ bundle: bundleOf(/** @type {HTMLElement} */ (link)), edit: "", order: "", cart: false }),
    );
  }
}

/** The bundle that a link within the shop leads to; null for the list of bundles. */
export function bundleOf(/** @type {HTMLElement} */ link) {
  return Number(link.dataset.bundle) || null;
}

/** Sets the component's attributes to the current state. The component keeps its selection. */
export function setUpBuilder(/** @type {Shop} */ shop, /** @type {Address} */ { state }) {
  const builder = part("builder");
  if (!builder) return;
  builder.setAttribute("lang", shop.locale);
  for (const [name, attribute] of Object.entries(FROM_STATE)) {
    const value = state[/** @type {keyof typeof FROM_STATE} */ (name)];
    if (value) builder.setAttribute(attribute, value);
    else builder.removeAttribute(attribute);
  }
}

function snippet(/** @type {Shop} */ shop, /** @type {number} */ id) {
  return `<script type="module" src="${location.origin}/storefront/bundle-builder.js"></script>
<bundle-builder bundle-id="${id}"
  base-url="${baseUrl(shop)}"
  api-key="${shop.apiKey}"></bundle-builder>`;
}

export function baseUrl(/** @type {ShopData} */ { basePath }) {
  return `${location.origin}${basePath}`;
}
