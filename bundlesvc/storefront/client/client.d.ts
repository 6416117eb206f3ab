// The client module: it fetches, prices and configures bundles, and evaluates selections locally.

import type { ConditionsResult, DiscountType, SelectedItem } from "./conditions.js";
import type {
  Bundle,
  BundleOffer,
  BundleSummary,
  BundleType,
  CartLine,
  CompleteBody,
  Completion,
  ConfigureBody,
  ConfiguredBundle,
  ConfigureResult,
  ContentRequest,
  Contents,
  DetailOf,
  EmbedBundle,
  EmbedSettings,
  ErrorCode,
  Notified,
  Presentment,
  PriceBody,
  PriceResult,
  Pricing,
  Product,
  Settings,
  SubscriptionChoice,
  TierType,
  VariantItems,
} from "./wire.js";

export * from "./conditions.js";
export * from "./wire.js";
/** Exact decimal numbers, to calculate with amounts. */
export * as decimal from "./decimal.js";

// Requests

export interface ClientOptions {
  /** The base URL of the API, which ends in /api/headless/v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default: `globalThis.fetch` at the time of each call. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Timeout of one attempt in milliseconds, including the response body. Default: 10000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * Pause before the first retry in milliseconds, with jitter; it doubles for each further one. `Retry-After` takes precedence.
   * Default: 250.
   */
  readonly backoffMs?: number | undefined;
  /** The client does not retry after a `Retry-After` longer than this (milliseconds). Default: 10000. */
  readonly maxWaitMs?: number | undefined;
  /** Timeout of a call with all its retries and pauses (milliseconds). Default: none. */
  readonly deadlineMs?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, even between retries. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** A language tag. Default: the shop's language. */
  readonly lang?: string | undefined;
  /** Only the bundles whose own product has this handle. */
  readonly handle?: string | undefined;
  /** "offer" adds `handle`, `fromPrice` and `discountSummary`. */
  readonly include?: "offer" | undefined;
  /** The page size, 1 to 100. Default: 100. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly cursor?: string | null | undefined;
}

/** One page of the list of bundles. */
export interface BundleList<Summary extends BundleSummary = BundleSummary> {
  readonly bundles: readonly Summary[];
  /** The `cursor` of the next page; null on the last one. */
  readonly next: string | null;
}

export interface CountryOptions extends CallOptions {
  /** A country (ISO 3166-1 alpha-2): adds the prices of its market to every variant. */
  readonly countryCode?: string | null | undefined;
}

export interface ConfigureOptions extends CallOptions {
  /** The idempotency key. Default: a new one per call, shared by its retries. */
  readonly idempotencyKey?: string | undefined;
}

/** Identifies a bundle, by its id or by the handle of its product. If both are given, the id takes precedence. */
export type BundleName =
  | { readonly id: number; readonly productHandle?: string | undefined }
  | { readonly id?: number | undefined; readonly productHandle: string };

export interface EmbedBundleSettings extends CountryOptions {
  /** A language tag. */
  readonly lang?: string | undefined;
  readonly forceTemplate?: string | undefined;
  /** The visitor of an A/B test, a UUID. */
  readonly visitorId?: string | undefined;
  /** Skips A/B tests: returns exactly this bundle. */
  readonly abBypass?: boolean | undefined;
  /** Skips the caches of browser, CDN and service, for a page whose cached bundle allows a selection that was refused. */
  readonly fresh?: boolean | undefined;
}

export type EmbedBundleOptions = BundleName & EmbedBundleSettings;

export interface EmbedSettingsOptions extends CallOptions {
  readonly lang?: string | undefined;
}

export interface ReminderRequest {
  readonly variant: string;
  readonly customerEmail: string;
  readonly bundleName: string;
}

/**
 * Every failed call rejects with a ServiceError or a NetworkError. All calls are safe to repeat, so the client retries them after
 * a network failure, a timeout, an incomplete body, 429, and 502, 503 or 504 with `Retry-After`. It does not retry anything else.
 */
export interface Client {
  bundles(options?: CallOptions): Promise<readonly BundleSummary[]>;
  /** The published bundles in a language, page by page, with absolute image addresses. */
  listBundles(options: ListOptions & { readonly include: "offer" }): Promise<BundleList<BundleOffer>>;
  listBundles(options?: ListOptions): Promise<BundleList>;
  bundle(id: number, options?: CallOptions): Promise<Bundle>;
  products(id: number, options?: CountryOptions): Promise<readonly Product[]>;
  settings(options?: CallOptions): Promise<Settings>;
  price(id: number, body: PriceBody, options?: CallOptions): Promise<PriceResult>;
  /** The nearest or cheapest selections that configure accepts, or the reasons why there are none. */
  complete(id: number, body: CompleteBody, options?: CallOptions): Promise<Completion>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  /**
   * A configured bundle, to edit it. `unique` is the last part of `_bundle_data` in the cart lines; with a wrong one, the call
   * rejects with the status 404. A key with the scope `embed` is sufficient.
   */
  readConfigured(id: number | string, unique: string, options?: CallOptions): Promise<ConfiguredBundle>;
  readonly embed: EmbedClient;
}

/** The embed API. The key needs the scope `embed`. */
export interface EmbedClient {
  bundle(options: EmbedBundleOptions): Promise<EmbedBundle>;
  settings(options?: EmbedSettingsOptions): Promise<EmbedSettings>;
  complete(id: number, body: CompleteBody, options?: CallOptions): Promise<Completion>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  variant(id: number, variantId: number | string, options?: CallOptions): Promise<VariantItems>;
  content(bundles: readonly ContentRequest[], options?: CallOptions): Promise<Contents>;
  notify(reminder: ReminderRequest, options?: CallOptions): Promise<Notified>;
}

/** @throws TypeError when `baseUrl` or `apiKey` is missing, or when the key contains characters that a header cannot contain */
export declare function createClient(options: ClientOptions): Client;

/** A bundle that was configured again. `result` replaces the configured bundle `configuredBundleId` in the cart. */
export interface MovedBundle {
  readonly configuredBundleId: number;
  readonly bundleId: number;
  readonly result: ConfigureResult;
  readonly selection: ShopperSelection;
}

/** A bundle that stays in the cart unchanged. Its discount may not apply in the new country: tell the shopper why. */
export interface KeptBundle {
  readonly configuredBundleId: number;
  /** A ServiceError with the reason, such as `rules_not_met`; a NetworkError; a TypeError without `email`. */
  readonly error: unknown;
}

export interface CountryChange {
  readonly moved: readonly MovedBundle[];
  readonly kept: readonly KeptBundle[];
}

export interface CountryChangeOptions extends CallOptions {
  /** "embed" for a key that has only the scope `embed`. Default: "headless". */
  readonly api?: "headless" | "embed" | undefined;
  /** The shopper's e-mail address, required for bundles with a subscription. */
  readonly email?: string | undefined;
}

/** A line of a cart, with the data that marks a bundle: `properties` of the Ajax cart, or `attributes` of the Storefront API. */
export interface MarkedItem {
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly attributes?: readonly ({ readonly key: string; readonly value?: string | null } | null)[] | null;
}

/**
 * Configures every native bundle of a cart again that was configured for another country. Call it when the cart's country changes
 * (null: none), and replace the moved bundles. `items` are the cart's lines. The call is safe to repeat: for a day, the same
 * bundle and country give the same result.
 */
export declare function configureForCountry(
  client: Pick<Client, "configure" | "readConfigured"> & { readonly embed: Pick<EmbedClient, "configure"> },
  items: readonly MarkedItem[],
  countryCode: string | null,
  options?: CountryChangeOptions,
): Promise<CountryChange>;

export type CostlyResult = "ghost_variants" | "configured_bundles" | "reminders" | "subscriptions";

/** "invalid_response": the response does not come from the service. */
export type ServiceErrorCode = ErrorCode | "invalid_response";

/** A response with an error status, for one code. */
export interface ServiceErrorOf<Code extends ServiceErrorCode> extends Error {
  readonly name: "ServiceError";
  readonly status: number;
  readonly code: Code;
  /** Mention it when you contact the operator; null when the response has none. */
  readonly requestId: string | null;
  /** Every fault of a 400; otherwise empty. */
  readonly details: readonly DetailOf<Code>[];
  /** Seconds; null when the response does not say. */
  readonly retryAfter: number | null;
  /** The kind of result of which this visitor has created too many within an hour; otherwise null. */
  readonly limit: CostlyResult | null;
}

/**
 * A response with an error status. Its stable `code` determines the possible details. A later version of the service may send
 * other codes: handle these by `status`.
 */
export type ServiceError = { [Code in ServiceErrorCode]: ServiceErrorOf<Code> }[ServiceErrorCode];
/** For `instanceof`: the client creates these errors itself. */
export declare const ServiceError: (abstract new (
  ...args: never
) => ServiceError) & { readonly prototype: ServiceError };

/** No complete response was received: offline, refused, interrupted, or too slow. `cause` is the browser's error. */
export declare class NetworkError extends Error {
  readonly name: "NetworkError";
  readonly timedOut: boolean;
}

// Local evaluation

export interface ShopperSelection {
  readonly items: readonly SelectedItem[];
  /** The type that the page showed. Default: the bundle's. */
  readonly type?: BundleType | undefined;
  readonly subscription?: SubscriptionChoice | null | undefined;
}

export interface EvaluationContext {
  /** `currency` of the settings. */
  readonly currency: string;
  /** The `countryCode` to send with the selection, if any. Fetch the products with the same one. */
  readonly country?: string | null | undefined;
  /** `activeFeatures` of the settings. Default: every feature for which the bundle has fields. */
  readonly activeFeatures?: readonly string[] | undefined;
}

export type RefusalCode = "selection_invalid" | "personalisation_invalid" | "subscription_invalid" | "rules_not_met";

/** The code and details of the 400 that configure would return: up to 100 details, in the same order and wording. */
export type Refusal = {
  [Code in RefusalCode]: { readonly code: Code; readonly details: readonly DetailOf<Code>[] };
}[RefusalCode];

/** A tier that is not reached yet: "2 more for 20% off". */
export interface NextTier {
  readonly type: TierType;
  /** The amount to add, in the tier's unit (items, or the shop's currency): a plain decimal such as "2" or "4.5". */
  readonly missing: string;
  readonly discount: string;
  readonly discountType: DiscountType;
  readonly customText: string | null;
}

/** The cost of personalised units, in addition to the pricing. */
export interface Fee {
  readonly variantId: string;
  /** The personalised product. */
  readonly productId: string;
  readonly count: number;
  /** The fee per unit. */
  readonly amount: string;
  readonly currencyCode: string;
}

export interface Evaluation {
  /** The result of price; null when price would return a 400. */
  readonly pricing: Pricing | null;
  /** `presentment` of the result of price; null when it has none. The products must be those for the country. */
  readonly presentment: Presentment | null;
  /** The reason why configure would return a 400; null when the client knows none. */
  readonly refusal: Refusal | null;
  readonly conditions: ConditionsResult;
  /**
   * Of the tiers that would take more off than those already reached, the one closest to being reached (by the share of its value
   * that is met). Units to be added count at the average price of the chosen ones. Null when there is no such tier, and when the
   * discount of the conditions replaces the bundle's.
   */
  readonly nextTier: NextTier | null;
  readonly fees: readonly Fee[];
  /**
   * Selected variants of products to which only a free item refers and that `products` does not contain: the service knows them,
   * the client does not. If there are any, pricing is null, and the refusal only covers whether the bundle offers the other
   * items. In this case, call `price`, or add these products to the list.
   */
  readonly unlisted: readonly string[];
}

/**
 * What the service would return for a selection: the same cents and the same failures, from the bundle and products that
 * it sent. Only the service knows or checks:
 *
 * - Stock. The client reports `sold_out` when a variant's `available` is false. It cannot tell whether there are enough units
 *   for the selected count: `inventoryQuantity` matters only for tracked variants that are not sold beyond their stock, and
 *   the API does not say which these are.
 * - The format of the request (`invalid_request`): ids, countries, missing e-mail addresses.
 * - Whether the bundle has a product of its own (`blocked` with the path "bundle").
 * - Later changes: prices, stock, the bundle itself. Messages contain names as the given bundle and products have them.
 *
 * @throws TypeError when an amount is not a decimal string
 */
export declare function evaluateSelection(
  bundle: Bundle,
  products: readonly Product[],
  selection: ShopperSelection,
  context: EvaluationContext,
): Evaluation;

/**
 * The body for `price` and `configure`. With an evaluation it contains the discount of the conditions; the service refuses
 * the request (`conditions_discount_mismatch`) when it computes a different one.
 */
export declare function requestBody(
  bundle: Bundle,
  selection: ShopperSelection,
  context: Pick<EvaluationContext, "country">,
  evaluation?: Pick<Evaluation, "conditions">,
): ConfigureBody;

/** The price that a shopper sees, in the form that configure accepts. */
export interface ShownPrice {
  readonly expectedPrice?: string;
  readonly expectedPresentment?: string;
}

/**
 * The price of an evaluation, to add to the body of configure: in the market's currency if it has one, otherwise in the shop's;
 * empty without a price. If it is not the current price, configure rejects with the code `price_changed` and both prices. A page
 * that shows prices only in the shop's currency passes `{ pricing }`.
 */
export declare function shownPrice(evaluation: {
  readonly pricing: Pricing | null;
  readonly presentment?: Presentment | null | undefined;
}): ShownPrice;

/**
 * A selection as text for a link: letters, digits and `-._~`. It contains the answers to personalisation fields, but no e-mail
 * address.
 *
 * @throws TypeError when an id is not an id
 */
export declare function encodeSelection(selection: ShopperSelection): string;

/**
 * The selection in a text that `encodeSelection` returned. Only the form of the text is checked: the component and
 * `evaluateSelection` check whether the bundle offers the items.
 *
 * @throws SelectionTextError when the text is anything else, of another version, or of more than 200 units
 */
export declare function decodeSelection(text: string): ShopperSelection;

/** A text that is not a selection. */
export declare class SelectionTextError extends Error {
  readonly name: "SelectionTextError";
  /** The text, truncated to 200 characters. */
  readonly text: string;
}

/**
 * An amount in the platform's money template ("€{{amount}}", "{{amount_with_comma_separator}} kr") as plain text. HTML in
 * the template is removed.
 *
 * @throws TypeError when the amount is not a decimal string
 */
export declare function formatMoney(amount: string, moneyFormat: string): string;

/**
 * Returns a function that writes amounts for shoppers: in the shop's currency with its money template, if it has set one
 * ("{{amount}}" alone does not count); otherwise, and in any other currency, in the style of the language ("9,90 €", "CHF 9.90",
 * "¥1,609"), with all decimal places of the currency.
 *
 * @param locale a language tag; default: the browser's
 * @returns (amount, currency); `currency` is the shop's by default. It throws a TypeError when the amount is not a decimal
 *   string, and a RangeError when the currency is not a code
 */
export declare function priceFormatter(
  settings: Pick<Settings, "currency" | "moneyFormat">,
  locale?: string,
): (amount: string, currency?: string) => string;

// Cart

/** The lines for the platform's add-to-cart request: a native bundle's items and fees, otherwise its variant once. */
export declare function cartLines(result: ConfigureResult): readonly CartLine[];

/**
 * The cart attribute `_bundles` with the bundle's entry added; other entries are unchanged. An absent or empty attribute counts
 * as having no entries. A bundle that is not native has no entry, so the attribute is returned unchanged.
 *
 * @throws CartDataError when the attribute is not a JSON object, or contains whole numbers that JavaScript cannot represent
 *   exactly: the caller decides whether to discard it. To discard it, pass null.
 */
export declare function mergeBundles(existingAttribute: string | null | undefined, result: ConfigureResult): string;

/** The parts of the platform's cart that the client reads. */
export interface CartLike {
  readonly items: readonly { readonly properties?: Readonly<Record<string, unknown>> | null }[];
  readonly attributes?: Readonly<Record<string, unknown>> | null;
}

/**
 * The cart without the lines and the `_bundles` entry of a native bundle; "{}" remains after the last entry. To remove the lines
 * from the platform's cart, send them with the quantity 0. Bundles that are not native are ordinary lines.
 *
 * @throws CartDataError as `mergeBundles`
 */
export declare function removeBundle<Cart extends CartLike>(cart: Cart, configuredBundleId: number): Cart;

/** A `_bundles` attribute that cannot be read. */
export declare class CartDataError extends Error {
  readonly name: "CartDataError";
  /** The attribute as read. */
  readonly text: string;
}
