// What the modules give each other: the types of the functions that they export, and what these are for. Browsers do not load
// this, so it says all that the modules, which they do, would have to. Not for callers: client.d.ts is for these.

import type {
  Client,
  ClientOptions,
  ConfigureOptions,
  CostlyResult,
  EmbedClient,
  EvaluationContext,
  Fee,
  NextTier,
  Refusal,
} from "./client.js";
import type {
  ConditionsResult,
  Facts,
  FreeUnits,
  GraphNode,
  SelectedItem,
  Selection,
  VariantFacts,
} from "./conditions.js";
import type { Decimal } from "./decimal.js";
import type {
  Bundle,
  ConfigureBody,
  Detail,
  Discount,
  LimitRule,
  PersonalisationField,
  Pricing,
  Product,
  SellingPlan,
  SubscriptionChoice,
  Variant,
} from "./wire.js";

// selection-lines.js

/** Answers to personalisation fields by key, sorted; a ticked box is "true", what is not answered is left out. */
export type Answers = readonly (readonly [key: string, answer: string])[];

/** Equal units: one variant in one section, personalised alike. */
export interface Line {
  readonly variantId: string;
  readonly productId: string;
  /** 0: outside all sections. */
  readonly sectionId: number;
  readonly answers: Answers;
  /** The place of the first of them among the items. */
  readonly first: number;
  /** What is known of it. Without, it has neither price nor weight: a free item need not be among a bundle's products. */
  readonly variant: VariantFacts | undefined;
  /** Of one unit; with a country the market's. */
  readonly price: Decimal;
  readonly grams: Decimal;
  count: number;
}

/** In the order of the items. */
export type LinesOf = (selection: Selection, facts: Pick<Facts, "country">) => Line[];
export type AnswersOf = (item: SelectedItem) => Answers;
/** By variant and section alone, which is all that prices and rules look at. */
export type WithoutAnswers = (lines: readonly Line[]) => Line[];
export type Total = (lines: readonly Line[]) => Decimal;
/** "1001" of "gid://platform/ProductVariant/1001" and of "1001". */
export type BareId = (id: unknown) => string;

/** Units that a free-item action takes out of a line. */
export interface Taken {
  readonly line: Line;
  readonly count: number;
  readonly actionId: string;
}

/**
 * The units that are taken before anything is judged, whether or not their action will fire: up to its `quantity`, from
 * section 0 and then by ascending section id, personalised ones last.
 */
export type SetAside = (lines: readonly Line[], freeItems: readonly Node[]) => Taken[];
/** The lines without these units, in their order. */
export type Without = (lines: readonly Line[], taken: readonly Taken[]) => Line[];
/** These units by action and section, as a result tells them. */
export type FreeUnitsOf = (taken: readonly Taken[]) => FreeUnits[];

export type IsOperation = (operation: unknown) => boolean;
/** Whether `measured` stands in this relation to `limit`; in an unknown one nothing does. */
export type Holds = (measured: Decimal, operation: string, limit: Decimal) => boolean;
/** Decimals of a currency (ISO 4217), as far as the API writes them. */
export type Exponent = (currency: string) => number;
/** The least number of so many decimals that is at least `limit` (not negative), or beyond it. */
export type StepFrom = (limit: Decimal, decimals: number, beyond: boolean) => Decimal;

// condition-graph.js

/** A node as it was sent: its fields are read by name, once its kind and type are known. */
export type Node = { readonly id: string; readonly kind: string; readonly [field: string]: any };
/** What a condition measures on the lines of its scope. */
export type Measures = ReadonlyMap<string, (lines: readonly Line[], node: Node) => Decimal>;
/** Conditions that look at the shopper instead of the lines. */
export type Questions = ReadonlyMap<string, (facts: Facts, node: Node) => boolean>;

/** Whether a node held, and the ids of the conditions that decided it. */
export interface Verdict {
  readonly holds: boolean;
  readonly decidedBy: readonly string[];
}
/** By id. */
export type Verdicts = Map<unknown, Verdict>;

/** What a graph comes to: the result, the units that are free, and the lines without them. */
export interface Outcome {
  readonly conditions: ConditionsResult;
  readonly granted: readonly Taken[];
  readonly paid: readonly Line[];
}
export type OutcomeOf = (written: readonly GraphNode[], lines: readonly Line[], facts: Facts) => Outcome;

// offer.js

/** A variant that the bundle may hold, with its product. */
export interface Known extends Variant {
  readonly product: Product;
}

/** What a bundle may hold, by id. */
export interface Offer {
  readonly bundle: Bundle;
  readonly products: ReadonlyMap<string, Product>;
  readonly variants: ReadonlyMap<string, Known>;
  /** Those that free-item actions name, fired or not. */
  readonly freeVariants: ReadonlySet<string>;
  /** Products that only selected free items bring in, and of which nothing is known. */
  readonly unlisted: ReadonlySet<string>;
}

/** Where, a code, and a sentence. */
export type Fault = [where: string, code: string, message: string];
/** Personalisation fields by product id. */
export type Fields = Readonly<Record<string, readonly PersonalisationField[]>>;

export type OfferOf = (
  bundle: Bundle,
  products: readonly Product[],
  items: readonly SelectedItem[],
  nodes: readonly GraphNode[],
) => Offer;
/** What is known of a line that the bundle offers. */
export type KnownOf = (line: Line) => Known;
/** The product's title, with the variant's where there are several to tell apart. */
export type LineTitle = (line: Line) => string;
/** A detail for every item that the bundle does not offer. */
export type CheckItems = (offer: Offer, items: readonly SelectedItem[]) => Detail[];
/** Whether a variant is one of those that a section or a required product names. */
export type Accepts = (
  named: { readonly platformProductId: string; readonly variantIds: readonly string[] },
  variantId: string,
  productId: string,
) => boolean;
/** Every answer held to its field. */
export type CheckAnswers = (fields: Fields, items: readonly SelectedItem[]) => Detail[];
/** What personalised units cost beside the pricing. */
export type FeesOf = (fields: Fields, lines: readonly Line[]) => Fee[];
/** The plan that a choice names, and what is wrong with it; without plans the bundle cannot be subscribed to. */
export type ChooseSubscription = (
  plans: readonly SellingPlan[] | undefined,
  choice: SubscriptionChoice | null | undefined,
) => { readonly plan: SellingPlan | undefined; readonly faults: Detail[] };

// pricing.js

/** A discount that was applied; `amount` is what it takes off. */
export interface Reduction {
  readonly type: Pricing["discountType"];
  readonly value: Decimal;
  readonly amount: Decimal;
}

export interface Priced {
  readonly pricing: Pricing;
  /** Those that are paid for, without answers. */
  readonly lines: readonly Line[];
  readonly discounted: Decimal;
  /** What is taken off the lines together. */
  readonly off: Decimal;
}

/** `saving`: percent, of the subscription that is chosen. */
export type PriceSelection = (own: Discount | null, outcome: Outcome, currency: string, saving: string) => Priced;
/**
 * What a section costs, the reduction laid on all lines in proportion; of equal fractions the smaller variant id comes
 * first, then the smaller section id.
 */
export type DiscountedShare = (priced: Priced, sectionId: number) => Decimal;
/** `lines` are those that are paid for. */
export type NextTierOf = (discount: Discount | null, lines: readonly Line[], currency: string) => NextTier | null;

// rules.js

/** One thing that a limit rule is held against: the whole scope, or one product or variant of it. */
export interface Measured {
  readonly actual: Decimal;
  readonly subject?: string;
  readonly names?: Partial<Detail>;
}

/** A limit rule with its place in the bundle's list. */
export interface Rule extends LimitRule {
  readonly place: number;
  /** The value as it is measured: weights in grams. */
  readonly limit: Decimal;
  /** Of a weight's unit. */
  readonly grams: Decimal | undefined;
}

/** `type`: what the shopper believes the bundle to be; `lines`: the whole selection; `inMarket`: with a country. */
export type CheckRules = (
  bundle: Bundle,
  type: string,
  lines: readonly Line[],
  conditions: ConditionsResult,
  priced: Priced,
  inMarket: boolean,
) => Detail[];
export type CheckVisibility = (line: Line, conditions: ConditionsResult) => Detail[];

// evaluation.js

/** What the shop's features leave of the bundle. */
export interface Features {
  readonly nodes: readonly GraphNode[];
  readonly fields: Fields;
  readonly plans: readonly SellingPlan[] | undefined;
}
export type FeaturesOf = (bundle: Bundle, context: EvaluationContext) => Features;
/** The first check that found something refuses. */
export type FirstRefusal = (checks: [code: Refusal["code"], details: Detail[]][]) => Refusal | null;

// service.js

export interface Call {
  readonly method?: string;
  /** What is null or undefined is left out. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a call to a path below the base URL, and reads its answer. */
export type Send = (path: string, call?: Call) => Promise<any>;
export type Caller = (options: ClientOptions) => Send;
/** One try, the body included. */
export type Attempt = (
  send: (signal: AbortSignal) => Promise<Response>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) => Promise<any>;
/** What an answer says that is no success. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details?: readonly Detail[];
  readonly retryAfter: number | null;
  readonly limit?: CostlyResult | null;
}
export type CreateClient = (options: ClientOptions) => Client;
export type EmbedClientOf = (send: Send) => EmbedClient;
/** One key in all tries, so that however often it is sent one bundle is configured. */
export type ConfigureCall = (body: ConfigureBody, options?: ConfigureOptions) => Call;
