/** Structured data for search engines, in the page's head. */

import { bundleData, dataText, listData } from "/storefront/structured-data/structured-data.js";
import { OWN } from "./address.js";
import { h } from "./dom.js";
import { baseUrl } from "./views.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./types.js").Shop} Shop */
/** @typedef {import("../../storefront/client/client.js").EmbedBundle} EmbedBundle */

const ID = "structured-data";

/**
 * Describes the list of bundles.
 *
 * @param {Shop} shop
 * @param {Address} address
 */
export function describeList(shop, address) {
  place(dataText(listData(shop.bundles, ({ id }) => pageOf(address, id))));
}

/**
 * Describes the bundle that the page shows. The from-price is known only when the country has no market of its own.
 *
 * @param {Shop} shop
 * @param {Address} address
 * @param {EmbedBundle} bundle
 */
export function describeBundle(shop, address, bundle) {
  const { country } = address.state;
  const isMarket = shop.countries.some(({ code }) => code === country);
  const fromPrice = isMarket ? null : shop.bundles.find(({ id }) => id === bundle.id)?.fromPrice;
  const url = pageOf(address, address.state.bundle);
  place(dataText(bundleData(bundle, { url, fromPrice, countryCode: country, baseUrl: baseUrl(shop) })));
}

/** Removes the description of a view that is no longer shown. */
export function describeNothing() {
  document.getElementById(ID)?.remove();
}

/** The absolute address of a bundle's page, in the language and for the country that the visitor has chosen. */
function pageOf(/** @type {Address} */ address, /** @type {number | null} */ bundle) {
  return new URL(address.to({ ...OWN, template: "", selection: "", bundle }), location.href).href;
}

function place(/** @type {string} */ text) {
  describeNothing();
  document.head.append(h("script", { id: ID, type: "application/ld+json", text }));
}
