// The client module: reads, prices and configures bundles, and evaluates a selection without asking.

import type { ConditionsResult, DiscountType, SelectedItem } from "./conditions.js";
import type {
  Bundle,
  BundleSummary,
  BundleType,
  CartLine,
  ConfigureBody,
  ConfigureResult,
  ContentRequest,
  Contents,
  Detail,
  EmbedBundle,
  EmbedSettings,
  Notified,
  PriceBody,
  Pricing,
  Product,
  Settings,
  SubscriptionChoice,
  TierType,
  VariantItems,
} from "./wire.js";

export * from "./conditions.js";
export * from "./wire.js";
/** Exact decimal numbers, to reckon with amounts. */
export * as decimal from "./decimal.js";

// Calls

export interface ClientOptions {
  /** Ends in /api/headless/v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default: `globalThis.fetch` as it is at the time of each call. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How long one try may take, its body included. Default: 10000. */
  readonly timeoutMs?: number | undefined;
  /** How many further tries there are at most. Default: 3. */
  readonly retries?: number | undefined;
  /** About how long to pause before a further try, where the service does not say. Doubles with each. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** A `Retry-After` beyond this is not waited for. Default: 10000. */
  readonly maxWaitMs?: number | undefined;
}

export interface CallOptions {
  /** Ends the call, waits between tries included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CountryOptions extends CallOptions {
  /** ISO 3166-1 alpha-2: adds the market's prices to every variant. */
  readonly countryCode?: string | null | undefined;
}

export interface ConfigureOptions extends CallOptions {
  /** Names this very attempt. Default: a new one for every call, the same in all its tries. */
  readonly idempotencyKey?: string | undefined;
}

export interface EmbedBundleOptions extends CountryOptions {
  /** This or `productHandle`; the id wins. */
  readonly id?: number | undefined;
  readonly productHandle?: string | undefined;
  /** A language tag. */
  readonly lang?: string | undefined;
  readonly forceTemplate?: string | undefined;
  /** The visitor of an A/B test, a UUID. */
  readonly visitorId?: string | undefined;
  /** No A/B test: the bundle asked for. */
  readonly abBypass?: boolean | undefined;
}

export interface EmbedSettingsOptions extends CallOptions {
  readonly lang?: string | undefined;
}

export interface ReminderRequest {
  readonly variant: string;
  readonly customerEmail: string;
  readonly bundleName: string;
}

/**
 * Every call rejects with a ServiceError or a NetworkError. All are safe to repeat, so all are tried again after a network
 * failure, a timeout, a body that broke off, 429, and 502, 503 or 504 with `Retry-After`; nothing else is.
 */
export interface Client {
  bundles(options?: CallOptions): Promise<readonly BundleSummary[]>;
  bundle(id: number, options?: CallOptions): Promise<Bundle>;
  products(id: number, options?: CountryOptions): Promise<readonly Product[]>;
  settings(options?: CallOptions): Promise<Settings>;
  price(id: number, body: PriceBody, options?: CallOptions): Promise<Pricing>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  readonly embed: EmbedClient;
}

/** The embed API; its key needs the scope `embed`. */
export interface EmbedClient {
  bundle(options: EmbedBundleOptions): Promise<EmbedBundle>;
  settings(options?: EmbedSettingsOptions): Promise<EmbedSettings>;
  configure(id: number, body: ConfigureBody, options?: ConfigureOptions): Promise<ConfigureResult>;
  variant(id: number, variantId: number | string, options?: CallOptions): Promise<VariantItems>;
  content(bundles: readonly ContentRequest[], options?: CallOptions): Promise<Contents>;
  notify(reminder: ReminderRequest, options?: CallOptions): Promise<Notified>;
}

/** @throws TypeError when the key cannot stand in a header */
export declare function createClient(options: ClientOptions): Client;

export type CostlyResult = "ghost_variants" | "configured_bundles" | "reminders" | "subscriptions";

/** An answer that is no success. */
export declare class ServiceError extends Error {
  readonly name: "ServiceError";
  readonly status: number;
  /** Stable: "rules_not_met", "rate_limited" …; "invalid_response" when the answer is not the service's own. */
  readonly code: string;
  /** To quote when asking the operator; null when there was none. */
  readonly requestId: string | null;
  /** Every reason of a 400; else empty. */
  readonly details: readonly Detail[];
  /** Seconds; null when the answer did not say. */
  readonly retryAfter: number | null;
  /** The costly result that this visitor made too many of in an hour; null for any other reason. */
  readonly limit: CostlyResult | null;
}

/** No answer at all: offline, refused, cut, or too slow. `cause` is what the browser said. */
export declare class NetworkError extends Error {
  readonly name: "NetworkError";
  readonly timedOut: boolean;
}

// Local evaluation

export interface ShopperSelection {
  readonly items: readonly SelectedItem[];
  /** What the shopper believes the bundle to be. Default: what it is. */
  readonly type?: BundleType | undefined;
  readonly subscription?: SubscriptionChoice | null | undefined;
}

export interface EvaluationContext {
  /** `currency` of the settings. */
  readonly currency: string;
  /** The `countryCode` that is sent with the selection, if any: the products must have been read with the same. */
  readonly country?: string | null | undefined;
  /** Of the settings. Default: as the bundle shows. */
  readonly activeFeatures?: readonly string[] | undefined;
}

export type RefusalCode =
  | "selection_invalid"
  | "personalisation_invalid"
  | "subscription_invalid"
  | "rules_not_met";

/** Code and details of the 400 that configure would answer: at most 100 details, in the same order and words. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly details: readonly Detail[];
}

/** A tier to come: "2 more for 20 % off". */
export interface NextTier {
  readonly type: TierType;
  /** What must be added, in the tier's unit (items, or shop currency): a plain decimal such as "2" or "4.5". */
  readonly missing: string;
  readonly discount: string;
  readonly discountType: DiscountType;
  readonly customText: string | null;
}

/** What personalised units cost beside the pricing. */
export interface Fee {
  readonly variantId: string;
  /** Of the personalised product. */
  readonly productId: string;
  readonly count: number;
  /** For each of them. */
  readonly amount: string;
  readonly currencyCode: string;
}

export interface Evaluation {
  /** What price would answer; null where it would be a 400. */
  readonly pricing: Pricing | null;
  /** Why configure would be a 400; null when nothing known here speaks against it. */
  readonly refusal: Refusal | null;
  readonly conditions: ConditionsResult;
  /**
   * The nearest tier not reached yet (by the part of its value that is there) that would take more off than the tiers
   * reached would, the units to come reckoned at the average price of those chosen. Null where there is none, and where
   * the conditions' discount takes the place of the bundle's.
   */
  readonly nextTier: NextTier | null;
  readonly fees: readonly Fee[];
  /**
   * Selected variants of products that only a free item brings in and that are not among `products`: the service knows
   * them, this does not. When there are any, pricing is null, and the refusal names only what the other items are not
   * offered for. Ask the service then, or add these products to the list.
   */
  readonly unlisted: readonly string[];
}

/**
 * What the service would answer for a selection: the same cents, the same failures, from the bundle and the products that
 * it sent. What it alone knows or checks:
 *
 * - Stock. `sold_out` is told here when a variant's `available` is false. Whether there are enough units for the count
 *   that is selected is not: `inventoryQuantity` counts only for tracked variants that are not sold beyond their stock, and
 *   which these are is not on the wire.
 * - The shape of the request (`invalid_request`): ids, countries, missing e-mail addresses.
 * - Whether the bundle has a product of its own (`blocked` with the path "bundle").
 * - Changes since: prices, stock, the bundle itself. Sentences hold names as the given bundle and products have them.
 *
 * @throws TypeError when an amount is no decimal string
 */
export declare function evaluateSelection(
  bundle: Bundle,
  products: readonly Product[],
  selection: ShopperSelection,
  context: EvaluationContext,
): Evaluation;

/**
 * The body for `price` and `configure`. With an evaluation its conditions discount is sent along, so that the service
 * refuses (`conditions_discount_mismatch`) when it has come to another one meanwhile.
 */
export declare function requestBody(
  bundle: Bundle,
  selection: ShopperSelection,
  context: Pick<EvaluationContext, "country">,
  evaluation?: Pick<Evaluation, "conditions">,
): ConfigureBody;

/**
 * An amount in the platform's money template ("€{{amount}}", "{{amount_with_comma_separator}} kr") as plain text: HTML in
 * the template is left out.
 *
 * @throws TypeError when the amount is no decimal string
 */
export declare function formatMoney(amount: string, moneyFormat: string): string;

// Cart

/** The lines for the platform's add-to-cart call: a native bundle's items and fees, else its variant once. */
export declare function cartLines(result: ConfigureResult): readonly CartLine[];

/**
 * The cart attribute `_bundles` with the bundle's entry, all others as they were. An absent or empty attribute holds none.
 * A bundle that is not native has no entry: the attribute stays as it is.
 *
 * @throws CartDataError when the attribute is no JSON object, or holds whole numbers that JavaScript cannot hold exactly:
 *   nothing is thrown away without the caller's word. To start anew, pass null.
 */
export declare function mergeBundles(existingAttribute: string | null | undefined, result: ConfigureResult): string;

/** A cart of the platform's form, as far as it is read here. */
export interface CartLike {
  readonly items: readonly { readonly properties?: Readonly<Record<string, unknown>> | null }[];
  readonly attributes?: Readonly<Record<string, unknown>> | null;
}

/**
 * The cart without a native bundle's lines and its `_bundles` entry; "{}" is left when that was the last. To take the lines
 * off the platform's own cart, send it those that are gone with the quantity 0. Other bundles are lines like any other.
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
