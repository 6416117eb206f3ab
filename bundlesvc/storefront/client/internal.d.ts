// Types and documentation of what the modules export to each other. They are in a separate file because browsers do not load it.
// Callers use client.d.ts.

import type {
  BundleList,
  Client,
  ClientOptions,
  ConfigureOptions,
  CostlyResult,
  EmbedClient,
  EvaluationContext,
  Fee,
  ListOptions,
  NextTier,
  Refusal,
  RefusalCode,
  ServiceError,
  ServiceErrorCode,
} from "./client.js";
import type {
  ConditionsResult,
  DiscountType,
  Facts,
  FreeUnits,
  GraphNode,
  Operation,
  SelectedItem,
  Selection,
  VariantFacts,
} from "./conditions.js";
import type { Decimal } from "./decimal.js";
import type {
  Bundle,
  BundleOffer,
  ConfigureBody,
  ConfigureResult,
  DetailCode,
  DetailOf,
  Discount,
  LimitRule,
  PersonalisationField,
  Presentment,
  Pricing,
  Product,
  SellingPlan,
  SubscriptionChoice,
  Tier,
  Variant,
} from "./wire.js";

// selection-lines.js

/** Answers to personalisation fields, sorted by key. A ticked box is "true"; empty answers are left out. */
export type Answers = readonly (readonly [key: string, answer: string])[];

/** A variant, with its price in a market. */
export interface LineVariant extends VariantFacts {
  readonly presentmentPrice?: string;
  readonly presentmentCurrency?: string;
  readonly exchangeRate?: string;
}

/** Identical units: one variant in one section with the same personalisation. */
export interface Line {
  readonly variantId: string;
  readonly productId: string;
  /** 0 for units outside all sections. */
  readonly sectionId: number;
  readonly answers: Answers;
  /** The index of the first of these units among the items. */
  readonly first: number;
  /** Undefined for a free item that is not among the bundle's products: it has no price and no weight. */
  readonly variant: LineVariant | undefined;
  /** The price of one unit; with a country, the market's. */
  readonly price: Decimal;
  readonly grams: Decimal;
  count: number;
}

/** In the order of the items. */
export type LinesOf = (selection: Selection, facts: Pick<Facts, "country">) => Line[];
export type AnswersOf = (item: SelectedItem) => Answers;
/** Merges lines that differ only in their answers, which prices and rules ignore. */
export type WithoutAnswers = (lines: readonly Line[]) => Line[];
export type Total = (lines: readonly Line[]) => Decimal;
/** Returns "1001" for "gid://platform/ProductVariant/1001" and for "1001". */
export type BareId = (id: unknown) => string;

/** Units of a line that a free-item action sets aside. */
export interface Taken {
  readonly line: Line;
  readonly count: number;
  readonly actionId: string;
}

/**
 * The units that are set aside before conditions are evaluated, whether or not their action fires: up to its `quantity`, from
 * section 0 and then by ascending section id, personalised units last.
 */
export type SetAside = (lines: readonly Line[], freeItems: readonly Node[]) => Taken[];
/** The lines without these units, in the same order. */
export type Without = (lines: readonly Line[], taken: readonly Taken[]) => Line[];
/** These units by action and section, in the form in which a result lists them. */
export type FreeUnitsOf = (taken: readonly Taken[]) => FreeUnits[];

export type IsOperation = (operation: unknown) => boolean;
/** Whether `measured` and `limit` are related as the operation says; false for an unknown operation. */
export type Holds = (measured: Decimal, operation: string, limit: Decimal) => boolean;
/** The number of decimal places of a currency (ISO 4217); `exponent` is limited to two, which most amounts of the API have. */
export type Exponent = (currency: string) => number;
/** The smallest number with this many decimal places that is at least `limit` (not negative), or greater than it if `beyond`. */
export type StepFrom = (limit: Decimal, decimals: number, beyond: boolean) => Decimal;

// condition-graph.js

/**
 * A node with the fields of every kind and type. Each node has only the fields of its own, so check kind and type before reading
 * them.
 */
export type Node = {
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  readonly operation: Operation | null | undefined;
  readonly value: string;
  readonly sectionId: number | null | undefined;
  readonly productId: string;
  readonly variantId: string;
  readonly mode: string;
  readonly children: string | readonly string[] | null | undefined;
  readonly when: string | null | undefined;
  readonly discount: { readonly type: DiscountType; readonly value: string };
  readonly quantity: number | null | undefined;
  readonly text: string;
};
/** A type of condition that compares a measure of the lines in its scope. Weights are in grams. */
export interface Quantity {
  readonly unit: "items" | "money" | "weight";
  readonly measure: (lines: readonly Line[], node: Node) => Decimal;
  /** The key of the only product or variant that counts, if there is one. */
  readonly of?: "productId" | "variantId";
}
/** A type of condition that tests a fact about the shopper. `canTest`: whether this version understands the node. */
export interface Fact {
  readonly canTest: (node: Node) => boolean;
  readonly test: (facts: Facts, node: Node) => boolean;
}
export type ConditionType = Quantity | Fact;

/** Whether a node is true, and the ids of the conditions that decided it. */
export interface Verdict {
  readonly holds: boolean;
  readonly decidedBy: readonly string[];
}
/** By id. */
export type Verdicts = Map<string, Verdict>;

/** The outcome of a graph: its result, the units that are free, and the lines without them. */
export interface Outcome {
  readonly conditions: ConditionsResult;
  readonly granted: readonly Taken[];
  readonly paid: readonly Line[];
}
export type OutcomeOf = (written: readonly GraphNode[], lines: readonly Line[], facts: Facts) => Outcome;

// offer.js

/** A variant that the bundle may contain, with its product. */
export interface Known extends Variant {
  readonly product: Product;
}

/** What a bundle may contain, by id. */
export interface Offer {
  readonly bundle: Bundle;
  readonly products: ReadonlyMap<string, Product>;
  readonly variants: ReadonlyMap<string, Known>;
  /** The variants of all free-item actions, fired or not. */
  readonly freeVariants: ReadonlySet<string>;
  /** Products of selected free items that are neither in the bundle nor among the known products. */
  readonly unlisted: ReadonlySet<string>;
}

/** A path, a code, and a message. */
export type Fault<Code extends DetailCode = DetailCode> = [path: string, code: Code, message: string];
/** Personalisation fields by product id. */
export type Fields = Readonly<Record<string, readonly PersonalisationField[]>>;

export type OfferOf = (
  bundle: Bundle,
  products: readonly Product[],
  items: readonly SelectedItem[],
  nodes: readonly GraphNode[],
) => Offer;
/** The offered variant of a line. */
export type KnownOf = (line: Line) => Known;
/** The product's title, with the variant's if the product has several. */
export type LineTitle = (line: Line) => string;
/** A detail for every item that the bundle does not offer. */
export type CheckItems = (offer: Offer, items: readonly SelectedItem[]) => DetailOf<"selection_invalid">[];
/** Whether a section or a required product includes a variant. */
export type Accepts = (
  named: { readonly platformProductId: string; readonly variantIds: readonly string[] },
  variantId: string,
  productId: string,
) => boolean;
/** A detail for every answer that does not fit its field. */
export type CheckAnswers = (fields: Fields, items: readonly SelectedItem[]) => DetailOf<"personalisation_invalid">[];
/** The cost of personalised units, in addition to the pricing. */
export type FeesOf = (fields: Fields, lines: readonly Line[]) => Fee[];
/** The plan of a choice, and the faults of the choice. A bundle without plans cannot be subscribed to. */
export type ChooseSubscription = (
  plans: readonly SellingPlan[] | undefined,
  choice: SubscriptionChoice | null | undefined,
) => { readonly plan: SellingPlan | undefined; readonly faults: DetailOf<"subscription_invalid">[] };

// pricing.js

/** A discount that was applied; `amount` is its reduction. */
export interface Reduction {
  readonly type: Pricing["discountType"];
  readonly value: Decimal;
  readonly amount: Decimal;
}

export interface Priced {
  readonly pricing: Pricing;
  /** The lines to be paid for, without answers. */
  readonly lines: readonly Line[];
  /** The discount, before a subscription's percentage, and the price of the lines without it. */
  readonly applied: Reduction;
  readonly amount: Decimal;
  readonly discounted: Decimal;
  /** The total reduction of the lines. */
  readonly off: Decimal;
}

/** `saving` is the percentage of the chosen subscription. */
export type PriceSelection = (
  own: Discount | null,
  outcome: Pick<Outcome, "paid" | "granted"> & { readonly conditions: Pick<ConditionsResult, "discount"> },
  currency: string,
  saving: string,
) => Priced;
/**
 * The price of a section after its share of the reduction, which is allocated to all lines in proportion. Of equal fractions, the
 * smaller variant id comes first, then the smaller section id.
 */
export type DiscountedShare = (priced: Priced, sectionId: number) => Decimal;
export type Lesser = (one: Decimal, other: Decimal) => Decimal;
/** The percentage, rounded half up to this many decimal places. */
export type PercentageOf = (amount: Decimal, percentage: Decimal, decimals: number) => Decimal;
/** A tier, the current measure of the selection, and the smallest measure that reaches the tier. */
export interface TierAhead {
  readonly tier: Tier;
  readonly there: Decimal;
  readonly target: Decimal;
}
/** `lines` are the lines to be paid for. */
export type NextTierOf = (discount: Discount | null, lines: readonly Line[], currency: string) => NextTier | null;

// presentment.js

/** `inMarket` is the price in the market of the lines to be paid for; `convert` takes an amount in the shop's currency. */
export type ReductionInMarket = (
  priced: Priced,
  inMarket: Decimal,
  convert: (amount: Decimal) => Decimal,
  decimals: number,
) => Decimal;
/** Null without a market, in a market with the shop's currency, and when a unit has no price in the market. */
export type PresentmentOf = (outcome: Outcome, priced: Priced, saving: string) => Presentment | null;

// rules.js

/** The product or variant that a rule for each of them applies to. */
export interface RuleSubject {
  readonly platformProductId?: string;
  readonly platformVariantId?: string;
}

/** A value to check against a limit rule: of the whole scope, or of one product or variant in it. */
export interface Measured {
  readonly actual: Decimal;
  readonly subject?: string;
  readonly names?: RuleSubject;
}

/** Measures each product or variant separately; `naming` returns its title, and the fields that identify it in a failure. */
export type MeasureEach = (
  lines: readonly Line[],
  naming: (line: Line) => readonly [string, RuleSubject],
) => readonly Measured[];

/** A type of limit rule. `isMultiple`: it allows multiples of the value, and ignores the operation. */
export interface RuleType {
  readonly unit: "items" | "money" | "weight";
  readonly isMultiple?: true;
  /** Weights are in grams. `section` is null for the whole bundle. */
  readonly measure: (lines: readonly Line[], section: number | null, priced: Priced) => readonly Measured[];
  /** The failure in a shopper's words; `unit` is the currency or the unit of weight. */
  readonly sentence: (place: {
    readonly where: string;
    readonly wanted: string;
    readonly unit: string;
    readonly subject: string;
    readonly actual: string;
  }) => string;
}

/** A limit rule with its index in the bundle's list. */
export interface Rule extends LimitRule {
  readonly place: number;
  /** The value in the unit of the measure: grams for weights. */
  readonly limit: Decimal;
  /** Grams per unit, for weights only. */
  readonly grams: Decimal | undefined;
}

/** `type` is the type that the page showed, `lines` is the whole selection, and `inMarket` says whether a country is given. */
export type CheckRules = (
  bundle: Bundle,
  type: string,
  lines: readonly Line[],
  conditions: ConditionsResult,
  priced: Priced,
  inMarket: boolean,
) => DetailOf<"rules_not_met">[];
export type CheckVisibility = (line: Line, conditions: ConditionsResult) => DetailOf<"rules_not_met">[];

// evaluation.js

/** The parts of the bundle that the shop's features enable. */
export interface Features {
  readonly nodes: readonly GraphNode[];
  readonly fields: Fields;
  readonly plans: readonly SellingPlan[] | undefined;
}
export type FeaturesOf = (bundle: Bundle, context: EvaluationContext) => Features;
/** The refusal of the first check that finds faults. */
export type FirstRefusal = (
  checks: { [Code in RefusalCode]: [code: Code, details: DetailOf<Code>[]] }[RefusalCode][],
) => Refusal | null;

// selection-text.js

/** The parts of a selection's text after its version. */
export type PartsOf = (text: unknown) => string[];
/** A unit in a text: its ids, and its answers if it has any. */
export type LineText = (item: SelectedItem) => string;
export type ReadLine = (part: string) => { readonly count: number; readonly item: SelectedItem };
export type Plan = (part: string) => SubscriptionChoice;
/** A whole number as short text, and back. */
export interface Numbers {
  readonly short: (value: unknown, least?: number) => string;
  readonly long: (text: string | undefined) => number;
}

// service.js

export interface Call<Body = unknown> {
  readonly method?: string;
  /** Null and undefined values are left out. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cache?: RequestCache | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Converts the body and headers of a successful response to the result of the call. Default: the body. */
  readonly take?: ((body: unknown, headers: Headers) => Body) | undefined;
}

/** Sends a request to a path below the base URL, and reads the response. The declared type of the body is not checked. */
export type Send = <Body>(path: string, call?: Call<Body>) => Promise<Body>;
export type Caller = (options: ClientOptions) => Send;
/** One attempt, including the response body. */
export type Attempt = <Body>(
  send: (signal: AbortSignal) => Promise<Response>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  take: Call<Body>["take"],
) => Promise<Body>;
/** The content of an error response. */
export interface Failure {
  readonly status: number;
  readonly code: ServiceErrorCode;
  readonly requestId: string | null;
  readonly details?: ServiceError["details"];
  readonly retryAfter: number | null;
  readonly limit?: CostlyResult | null;
}
export type CreateClient = (options: ClientOptions) => Client;
export type EmbedClientOf = (send: Send) => EmbedClient;
/** Without `include`, the bundles lack the fields of an offer: `Client` declares that. */
export type ListBundles = (send: Send, options?: ListOptions) => Promise<BundleList<BundleOffer>>;
/** All attempts have the same key, so that only one bundle is configured, however often the request is sent. */
export type ConfigureCall = (body: ConfigureBody, options?: ConfigureOptions) => Call<ConfigureResult>;
