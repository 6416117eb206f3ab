// Adapters for the platform's carts. Each takes the current cart and a configured bundle, and returns the data to send.

import type { Bundle, ConfigureResult, MovedBundle, ShopperSelection } from "../client/client.js";

export { CartDataError } from "../client/client.js";

/** The detail of `bundle:addtocart`, or the result of `configure` of `useSelection`. */
export interface Configured {
  readonly result: ConfigureResult;
  /** Required with a subscription: it contains the platform's selling plans. */
  readonly bundle?: Pick<Bundle, "sellingPlans"> | undefined;
  /** Required with a subscription. */
  readonly selection?: Pick<ShopperSelection, "subscription"> | undefined;
}

// The Ajax cart

/** The parts of the response of `/cart.js` that the adapter reads. */
export interface AjaxCart {
  readonly items: readonly { readonly key: string; readonly properties?: Readonly<Record<string, unknown>> | null }[];
  readonly attributes?: Readonly<Record<string, unknown>> | null;
}

export interface AjaxLine {
  readonly id: number;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly selling_plan?: number;
}

/**
 * The bodies for `/cart/update.js` and `/cart/add.js`. Send `update` first, so that no line is ever in the cart without its
 * discount. Other attributes are unchanged.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 * @throws TypeError when the bundle has no selling plan for the subscription
 */
export declare function toAjaxCart(
  cart: Pick<AjaxCart, "attributes"> | null,
  configured: Configured,
): {
  readonly update: { readonly attributes: Readonly<Record<string, unknown>> };
  readonly add: { readonly items: readonly AjaxLine[] };
};

/**
 * The body for `/cart/update.js` that removes a native bundle: its lines, and its entry in `_bundles`. Other bundles are
 * ordinary lines.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 */
export declare function removeFromAjaxCart(
  cart: AjaxCart,
  configuredBundleId: number,
): { readonly updates: Readonly<Record<string, 0>>; readonly attributes: Readonly<Record<string, unknown>> };

/** A bundle that `configureForCountry` moved. With a subscription, it needs its `bundle`. */
export type Moved = MovedBundle & Pick<Configured, "bundle">;

/**
 * The bodies that replace a bundle with the result of `configureForCountry`. Send `update` to `/cart/update.js`, which removes
 * the old lines, and then `add` to `/cart/add.js`. Read the cart again before the next bundle.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 */
export declare function moveInAjaxCart(
  cart: AjaxCart,
  moved: Moved,
): {
  readonly update: {
    readonly updates: Readonly<Record<string, 0>>;
    readonly attributes: Readonly<Record<string, unknown>>;
  };
  readonly add: { readonly items: readonly AjaxLine[] };
};

// The Storefront API

type Maybe<Type> = Type | null | undefined;

/** The parts of a cart that the adapter reads, as the Storefront API and libraries based on it return them. */
export interface StorefrontCart {
  readonly attributes?: Maybe<readonly Maybe<{ readonly key?: string; readonly value?: Maybe<string> }>[]>;
}

export type StorefrontCartLine = StorefrontCart & { readonly id?: string };

export interface StorefrontCartWithLines extends StorefrontCart {
  /** A list, or a connection with `nodes`. */
  readonly lines?: readonly Maybe<StorefrontCartLine>[] | { readonly nodes?: readonly Maybe<StorefrontCartLine>[] };
}

/** `AttributeInput` of the Storefront API. */
export interface StorefrontAttribute {
  key: string;
  value: string;
}

/** `CartLineInput` of the Storefront API. */
export interface StorefrontLine {
  merchandiseId: string;
  quantity: number;
  attributes: StorefrontAttribute[];
  sellingPlanId?: string;
}

/**
 * The variables `attributes` of `cartAttributesUpdate` and `lines` of `cartLinesAdd`, or both fields of the input of `cartCreate`
 * when there is no cart yet (`null`). `cartAttributesUpdate` replaces all attributes, so these include the existing ones: query
 * `attributes { key value }`. Send the attributes first, or both mutations in one document, so that no line is ever in the cart
 * without its discount.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 * @throws TypeError when the bundle has no selling plan for the subscription
 */
export declare function toStorefrontCart(
  cart: StorefrontCart | null,
  configured: Configured,
): { lines: StorefrontLine[]; attributes: StorefrontAttribute[] };

/**
 * The variables `lineIds` of `cartLinesRemove` and `attributes` of `cartAttributesUpdate` that remove a native bundle. Other
 * bundles are ordinary lines.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 */
export declare function removeFromStorefrontCart(
  cart: StorefrontCartWithLines,
  configuredBundleId: number,
): { lineIds: string[]; attributes: StorefrontAttribute[] };

/**
 * The variables that replace a bundle with the result of `configureForCountry`: `lineIds` of `cartLinesRemove`, `attributes` of
 * `cartAttributesUpdate`, and `lines` of `cartLinesAdd`. Send all three in one document, in this order.
 *
 * @throws CartDataError when the cart's attribute `_bundles` cannot be read
 */
export declare function moveInStorefrontCart(
  cart: StorefrontCartWithLines,
  moved: Moved,
): { lineIds: string[]; lines: StorefrontLine[]; attributes: StorefrontAttribute[] };

// Vendure's Shop API

/** An order. Query `lines { id bundle { configured } }`. */
export interface VendureOrder {
  readonly lines?: readonly {
    readonly id: string;
    readonly bundle?: { readonly configured?: string | null } | null;
  }[];
}

/**
 * The variables of the plugin's `addBundleToOrder`, which adds either all lines of the bundle or none. Repeating it adds nothing.
 */
export declare function toVendureOrder(configured: Pick<Configured, "result">): { configured: ConfigureResult };

/**
 * The lines of a bundle. Remove each of them with `removeOrderLine`: as long as only some are left, these are charged at full
 * price.
 */
export declare function removeFromVendureOrder(
  order: VendureOrder,
  configuredBundleId: number,
): { orderLineIds: string[] };

// Links

/**
 * A link that opens the checkout with this bundle. Null for a native bundle, because its discount needs properties on each line
 * and a link can set them on the first line only, and for a subscription, because a link cannot contain a selling plan.
 *
 * @throws TypeError when the bundle has no selling plan for the subscription
 */
export declare function toCheckoutLink(shop: string | URL, configured: Configured): string | null;
