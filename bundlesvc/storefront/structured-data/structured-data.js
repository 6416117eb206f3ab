/** Structured data for search engines (docs/client.md#structured-data). Types and documentation are in structured-data.d.ts. */

import { decimal } from "../client/client.js";

/** @import { EmbedBundle, Variant } from "../client/client.js" */
/** @import { BundleDataOptions, Offered, PartData } from "./structured-data.js" */

const { compare, parse } = decimal;
const SCHEMA = "https://schema.org";

/** @type {typeof import("./structured-data.js").bundleData} */
export function bundleData(bundle, options) {
  const { url, fromPrice, currency = bundle.settings.currency, countryCode } = options;
  const offered = offeredIn(bundle);
  const availability = availabilityOf(bundle, offered, fromPrice);
  const included = includedIn(bundle, offered, url);
  return {
    "@context": SCHEMA,
    "@type": "Product",
    "@id": `${url}#bundle-${bundle.id}`,
    productID: String(bundle.id),
    name: bundle.name,
    ...(bundle.description && { description: bundle.description }),
    ...imageOf(bundle.imageUrl, options),
    url,
    offers: {
      "@type": "AggregateOffer",
      url,
      priceCurrency: currency,
      ...(fromPrice && { lowPrice: fromPrice }),
      ...(availability && { availability }),
      ...(countryCode && { eligibleRegion: countryCode }),
      seller: { "@type": "Organization", name: bundle.settings.shop.name },
      ...(included.length > 0 && { includesObject: included }),
    },
    isRelatedTo: offered.map((part) => partData(part, bundle.settings.currency, options)),
  };
}

/** @type {typeof import("./structured-data.js").listData} */
export function listData(bundles, addressOf) {
  return {
    "@context": SCHEMA,
    "@type": "ItemList",
    numberOfItems: bundles.length,
    itemListElement: bundles.map((bundle, place) => ({
      "@type": "ListItem",
      position: place + 1,
      name: bundle.name,
      url: addressOf(bundle),
    })),
  };
}

/** @type {typeof import("./structured-data.js").dataText} */
export function dataText(data) {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/**
 * The products of a bundle that can be on sale or that the bundle requires, in order of first use, each with the
 * variants that the bundle allows.
 *
 * @param {EmbedBundle} bundle
 * @returns {Offered[]}
 */
function offeredIn({ products, sections, requiredProducts }) {
  const named = [...requiredProducts, ...sections.flatMap((section) => section.products)];
  return products.flatMap((product) => {
    const { platformProductId: id, status } = product;
    const allowed = named.filter((one) => one.platformProductId === id).map(({ variantIds }) => variantIds);
    const allows = (/** @type {Variant} */ { platformVariantId: variant }) =>
      allowed.some((ids) => !ids.length || ids.includes(variant));
    const variants = status === "ACTIVE" ? product.variants.filter(allows) : [];
    const isRequired = requiredProducts.some((one) => one.platformProductId === id);
    return variants.length || isRequired ? [{ product, variants }] : [];
  });
}

/** @param {Variant} variant */
const isOnSale = ({ available, availableForSale }) => available && availableForSale !== false;

/**
 * The availability of a bundle; null when it is unknown. A price proves that the bundle can be bought. Without a price,
 * the only certain result is that the bundle cannot be bought.
 *
 * @param {EmbedBundle} bundle
 * @param {readonly Offered[]} offered
 * @param {string | null | undefined} fromPrice
 */
function availabilityOf({ requiredProducts }, offered, fromPrice) {
  const onSale = offered.filter(({ variants }) => variants.some(isOnSale));
  const isLacking = requiredProducts.some(
    ({ platformProductId: id }) => !onSale.some(({ product }) => product.platformProductId === id),
  );
  if (isLacking || !onSale.length) return inStock(false);
  return fromPrice ? inStock(true) : null;
}

/**
 * @param {boolean} isInStock
 * @returns {"https://schema.org/InStock" | "https://schema.org/OutOfStock"}
 */
const inStock = (isInStock) => (isInStock ? `${SCHEMA}/InStock` : `${SCHEMA}/OutOfStock`);

/**
 * @param {string} url
 * @param {string} productId
 */
const idOf = (url, productId) => `${url}#product-${productId}`;

/**
 * The products that every selection contains.
 *
 * @param {EmbedBundle} bundle
 * @param {readonly Offered[]} offered
 * @param {string} url
 */
function includedIn({ requiredProducts }, offered, url) {
  return requiredProducts
    .filter(({ platformProductId: id }) => offered.some(({ product }) => product.platformProductId === id))
    .map(({ platformProductId, quantity }) => ({
      "@type": /** @type {const} */ ("TypeAndQuantityNode"),
      amountOfThisGood: quantity,
      typeOfGood: { "@id": idOf(url, platformProductId) },
    }));
}

/**
 * @param {Offered} offered
 * @param {string} shopCurrency
 * @param {BundleDataOptions} options
 * @returns {PartData}
 */
function partData({ product, variants }, shopCurrency, options) {
  const { platformProductId: id, title, imageUrl } = product;
  const [variant] = variants;
  const sku = variants.length === 1 && variant.sku;
  return {
    "@type": "Product",
    "@id": idOf(options.url, id),
    productID: id,
    ...(sku && { sku }),
    name: title,
    ...imageOf(imageUrl || variant?.image, options),
    ...(variant && { offers: partOffer(variants, shopCurrency) }),
  };
}

/**
 * The offer of a product: a price if all variants cost the same, otherwise a range.
 *
 * @param {readonly Variant[]} variants
 * @param {string} shopCurrency
 * @returns {NonNullable<PartData["offers"]>}
 */
function partOffer(variants, shopCurrency) {
  const isPresentment = variants.every(({ presentmentPrice, presentmentCurrency }) =>
    Boolean(presentmentPrice && presentmentCurrency === variants[0].presentmentCurrency),
  );
  const prices = variants
    .map((one) => (isPresentment ? one.presentmentPrice : one.priceInShopCurrency) ?? one.price)
    .sort((one, other) => compare(parse(one), parse(other)));
  const [low, high] = [prices[0], prices[prices.length - 1]];
  const terms = {
    priceCurrency: (isPresentment && variants[0].presentmentCurrency) || shopCurrency,
    availability: inStock(variants.some(isOnSale)),
  };
  if (low === high) return { "@type": "Offer", price: low, ...terms };
  return { "@type": "AggregateOffer", lowPrice: low, highPrice: high, offerCount: prices.length, ...terms };
}

/**
 * The absolute http or https address of an image, as search engines require.
 *
 * @param {string | undefined} address
 * @param {BundleDataOptions} options
 */
function imageOf(address, { url, baseUrl = url }) {
  if (!address || !URL.canParse(address, baseUrl)) return null;
  const { href, protocol } = new URL(address, baseUrl);
  return /^https?:$/.test(protocol) ? { image: href } : null;
}
