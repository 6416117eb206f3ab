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
  /** Ends in /api/headless/v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default: `globalThis.fetch` at the time of each call. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Timeout of one try in milliseconds, response body included. Default: 10000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries. Default: 3. */
  readonly retries?: number | undefined;
  /** Pause before the first retry in milliseconds, jittered; it doubles for each. `Retry-After` wins. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** The client does not retry after a `Retry-After` longer than this (milliseconds). Default: 10000. */
  readonly maxWaitMs?: number | undefined;
  /** Timeout of a call with all its retries and pauses (milliseconds). Default: none. */
  readonly deadlineMs?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, also between retries. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** A language tag. Default: the shop's language. */
  readonly lang?: string | undefined;
  /** Only the bundles whose own product has this handle. */
  readonly handle?: string | undefined;
  /** "offer" adds `handle`, `fromPrice` and `discountSummary`. */
  readonly include?: "offer" | undefined;
  /** 1 to 100. Default: 100. */
  readonly limit?: number | undefined;
  /** `next` of the part before. */
  readonly cursor?: string | null | undefined;
}

/** A part of the list of bundles. */
export interface BundleList<Summary extends BundleSummary = BundleSummary> {
  readonly bundles: readonly Summary[];
  /** The `cursor` of the next part; null in the last. */
  readonly next: string | null;
}

export interface CountryOptions extends CallOptions {
  /** ISO 3166-1 alpha-2: adds the market's prices to every variant. */
  readonly countryCode?: string | null | undefined;
}

export interface ConfigureOptions extends CallOptions {
  /** The idempotency key. Default: a new one for each call, the same for all its retries. */
  readonly idempotencyKey?: string | undefined;
}

/** Names a bundle, by its id or by the handle of its product. With both, the id wins. */
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
  /** Skips the caches of browser, CDN and service: for a page that was refused something that its cached bundle allows. */
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
 * Every call rejects with a ServiceError or a NetworkError. All calls are safe to repeat, so the client retries them after a
 * network failure, a timeout, an incomplete body, 429, and 502, 503 or 504 with `Retry-After`. It retries nothing else.
 */
export interface Client {
  bundles(options?: CallOptions): Promise<readonly BundleSummary[]>;
  /** The published bundles in a language, in parts, with absolute image addresses. */
  listBundles(options: ListOptions & { readonly include: "offer" }): Promise<BundleList<BundleOffer>>;
  listBundles(options?: ListOptions): Promise<BundleList>;
  bundle(id: number, options?: CallOptions): Promise<Bundle>;
  products(id: number, options?: CountryOptions): Promise<readonly Product[]>;
  settings(options?: CallOptions): Promise<Settings>;
  price(id: number, body: PriceBody, options?: CallOptions): Promise<PriceResult>;
  /** The nearest or cheapest selections that configure accepts, or why there are none. */
  complete(id: number, body: CompleteBody, options?: CallOptions): Promise<Completion>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  /**
   * What was configured, to be edited. `unique` is the last part of `_bundle_data` in the lines of the cart; without the right
   * one the call rejects with the status 404. A key with the scope `embed` will do.
   */
  readConfigured(id: number | string, unique: string, options?: CallOptions): Promise<ConfiguredBundle>;
  readonly embed: EmbedClient;
}

/** The embed API; its key needs the scope `embed`. */
export interface EmbedClient {
  bundle(options: EmbedBundleOptions): Promise<EmbedBundle>;
  settings(options?: EmbedSettingsOptions): Promise<EmbedSettings>;
  complete(id: number, body: CompleteBody, options?: CallOptions): Promise<Completion>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  variant(id: number, variantId: number | string, options?: CallOptions): Promise<VariantItems>;
  content(bundles: readonly ContentRequest[], options?: CallOptions): Promise<Contents>;
  notify(reminder: ReminderRequest, options?: CallOptions): Promise<Notified>;
}

/** @throws TypeError when `baseUrl` or `apiKey` is missing, or the key has characters that a header cannot have */
export declare function createClient(options: ClientOptions): Client;

/** A bundle that was configured again. `result` replaces the configured bundle `configuredBundleId` in the cart. */
export interface MovedBundle {
  readonly configuredBundleId: number;
  readonly bundleId: number;
  readonly result: ConfigureResult;
  readonly selection: ShopperSelection;
}

/** A bundle that stays in the cart as it is. Its discount may not apply in the new country: tell the shopper why. */
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
  /** "embed" for a key with the scope `embed` only. Default: "headless". */
  readonly api?: "headless" | "embed" | undefined;
  /** The shopper's address: needed for bundles with a subscription. */
  readonly email?: string | undefined;
}

/** A line of a cart, with what marks a bundle: `properties` of the Ajax cart, or `attributes` of the Storefront API. */
export interface MarkedItem {
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly attributes?: readonly ({ readonly key: string; readonly value?: string | null } | null)[] | null;
}

/**
 * Configures every native bundle of a cart again, if it was configured for another country. Call it when the cart's country
 * changes (null: none), and replace what moved. `items` are the cart's lines. It is safe to repeat:
 * the same bundle and country give the same result for a day.
 */
export declare function configureForCountry(
  client: Pick<Client, "configure" | "readConfigured"> & { readonly embed: Pick<EmbedClient, "configure"> },
  items: readonly MarkedItem[],
  countryCode: string | null,
  options?: CountryChangeOptions,
): Promise<CountryChange>;

export type CostlyResult = "ghost_variants" | "configured_bundles" | "reminders" | "subscriptions";

/** "invalid_response": the response is not the service's. */
export type ServiceErrorCode = ErrorCode | "invalid_response";

/** A response that is not a success, with one code. */
export interface ServiceErrorOf<Code extends ServiceErrorCode> extends Error {
  readonly name: "ServiceError";
  readonly status: number;
  readonly code: Code;
  /** Quote it to the operator; null when the response has none. */
  readonly requestId: string | null;
  /** Every fault of a 400; otherwise empty. */
  readonly details: readonly DetailOf<Code>[];
  /** Seconds; null when the response does not say. */
  readonly retryAfter: number | null;
  /** The result that this visitor has created too many of in an hour; otherwise null. */
  readonly limit: CostlyResult | null;
}

/**
 * A response that is not a success. Its stable `code` says which details it can have. A later version of the service may
 * send other codes: handle them by `status`.
 */
export type ServiceError = { [Code in ServiceErrorCode]: ServiceErrorOf<Code> }[ServiceErrorCode];
/** For `instanceof`: the client creates these errors itself. */
export declare const ServiceError: (abstract new (
  ...args: never
) => ServiceError) & { readonly prototype: ServiceError };

/** No complete response: offline, refused, interrupted, or too slow. `cause` is the browser's error. */
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
  /** `activeFeatures` of the settings. Default: every feature that the bundle has fields of. */
  readonly activeFeatures?: readonly string[] | undefined;
}

export type RefusalCode = "selection_invalid" | "personalisation_invalid" | "subscription_invalid" | "rules_not_met";

/** Code and details of the 400 that configure would return: up to 100 details, in the same order and words. */
export type Refusal = {
  [Code in RefusalCode]: { readonly code: Code; readonly details: readonly DetailOf<Code>[] };
}[RefusalCode];

/** A tier not reached yet: "2 more for 20 % off". */
export interface NextTier {
  readonly type: TierType;
  /** What must be added, in the tier's unit (items, or shop currency): a plain decimal such as "2" or "4.5". */
  readonly missing: string;
  readonly discount: string;
  readonly discountType: DiscountType;
  readonly customText: string | null;
}

/** What personalised units cost on top of the pricing. */
export interface Fee {
  readonly variantId: string;
  /** The personalised product. */
  readonly productId: string;
  readonly count: number;
  /** For each unit. */
  readonly amount: string;
  readonly currencyCode: string;
}

export interface Evaluation {
  /** What price would return; null where it would be a 400. */
  readonly pricing: Pricing | null;
  /** The `presentment` of that response; null without one. The products must be those of the country. */
  readonly presentment: Presentment | null;
  /** Why configure would be a 400; null when the client knows no reason. */
  readonly refusal: Refusal | null;
  readonly conditions: ConditionsResult;
  /**
   * The tier closest to being reached (by the share of its value that is met) that would take more off than the tiers
   * already reached. Units to be added count at the average price of those chosen. Null when there is no such tier, and
   * when the conditions' discount replaces the bundle's.
   */
  readonly nextTier: NextTier | null;
  readonly fees: readonly Fee[];
  /**
   * Selected variants of products that only a free item refers to and that `products` does not contain: the service knows
   * them, the client does not. If there are any, pricing is null, and the refusal covers only whether the bundle offers the
   * other items. Call `price` then, or add these products to the list.
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

/** The price that a shopper sees, as configure takes it. */
export interface ShownPrice {
  readonly expectedPrice?: string;
  readonly expectedPresentment?: string;
}

/**
 * The price of an evaluation, to add to the body of configure: in the market's currency where it has one, otherwise in the
 * shop's; without a price, nothing. If it is not the price of the moment, configure rejects with the code `price_changed` and
 * both prices. A page that shows prices in the shop's currency only passes `{ pricing }`.
 */
export declare function shownPrice(evaluation: {
  readonly pricing: Pricing | null;
  readonly presentment?: Presentment | null | undefined;
}): ShownPrice;

/**
 * A selection as text for a link: letters, digits and `-._~`. It has the answers to personalisation fields, and no e-mail
 * address.
 *
 * @throws TypeError when an id is not an id
 */
export declare function encodeSelection(selection: ShopperSelection): string;

/**
 * The selection of a text that `encodeSelection` made. Only its form is checked: whether the bundle offers what is in it, the
 * component and `evaluateSelection` say.
 *
 * @throws SelectionTextError when the text is anything else, of another version, or of more than 200 units
 */
export declare function decodeSelection(text: string): ShopperSelection;

/** A text that is not a selection. */
export declare class SelectionTextError extends Error {
  readonly name: "SelectionTextError";
  /** The text as it was found, up to 200 characters of it. */
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
 * A function that writes amounts for shoppers: in the shop's currency with its money template, if it has set one ("{{amount}}"
 * alone is none); otherwise, and in any other currency, as the language writes them ("9,90 €", "CHF 9.90", "¥1,609"), with all
 * decimals of the currency.
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
 * The cart attribute `_bundles` with the bundle's entry added; other entries stay. An absent or empty attribute has no
 * entries. A bundle that is not native has no entry, so the attribute stays unchanged.
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
 * The cart without a native bundle's lines and its `_bundles` entry; "{}" remains after the last entry. To remove the lines
 * from the platform's own cart, send them with the quantity 0. Bundles that are not native are ordinary lines.
 *
 * @throws CartDataError as `mergeBundles`
 */
export declare function removeBundle<Cart extends CartLike>(cart: Cart, configuredBundleId: number): Cart;

/** A `_bundles` attribute that cannot be read. */
export declare class CartDataError extends Error {
  readonly name: "CartDataError";
  /** The attribute as it was found. */
  readonly text: string;
}
