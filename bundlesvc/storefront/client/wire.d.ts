// What the service sends and accepts, under the names that the client exports. The types come from schemas.d.ts, which is
// generated from the OpenAPI document. Defined here are only the parts that the document cannot express: the nodes of conditions
// (their schema is docs/conditions.schema.json), operations, which a `multiples-of` rule ignores, and bodies, whose optional
// fields may also be undefined.

import type { GraphNode, Operation, SelectedItem } from "./conditions.js";
import type * as schemas from "./schemas.js";

export type {
  BundleSummary,
  CartLine,
  CartPayload,
  ChangedUnits,
  Completion,
  ConditionsDiscount,
  ConfigureResult,
  Contents,
  Discount,
  EmbedSettings,
  Notified,
  PersonalisationFee,
  PersonalisationField,
  Presentment,
  PriceResult,
  Pricing,
  Product,
  ProductOption,
  Reason,
  RequiredProduct,
  Section,
  SectionProduct,
  SellingPlan,
  Settings,
  Solution,
  Swatch,
  Tier,
  Variant,
  VariantItems,
} from "./schemas.js";

export type BundleType = schemas.BundleSummary["type"];
export type TierType = schemas.Tier["type"];
export type LimitRuleType = schemas.LimitRule["type"];
export type SubscriptionUnit = schemas.SellingPlan["unit"];
/** The `code` of an error. */
export type ErrorCode = schemas.Error["code"];

type Replace<Type, Fields> = Omit<Type, keyof Fields> & Readonly<Fields>;

/** A bundle in a list with `include: "offer"`. */
export type BundleOffer = schemas.BundleSummary &
  Required<Pick<schemas.BundleSummary, "handle" | "fromPrice" | "discountSummary">>;

export type LimitRule = Replace<schemas.LimitRule, { operation: Operation }>;

interface Rules {
  limitRules: readonly LimitRule[];
  /** Present when the shop has the feature `conditions`. */
  conditionsEngineNodes?: readonly GraphNode[];
}

/** The response of GET /bundles/:id. */
export type Bundle = Replace<schemas.Bundle, Rules>;

/** The response of GET /bundle of the embed API. */
export type EmbedBundle = Replace<schemas.EmbedBundle, Rules>;

/** The shapes of a union with their required fields only. In the generated details, every code has every optional field. */
type OwnFields<Shape> = Shape extends unknown
  ? {
      readonly [Field in keyof Shape as Partial<Pick<Shape, Field>> extends Pick<Shape, Field>
        ? never
        : Field]: Shape[Field];
    }
  : never;

interface RuleFields {
  operation: Operation;
  alternatives?: readonly string[];
  /** The product or variant at fault, for a rule that applies to each product or variant. */
  platformProductId?: string;
  platformVariantId?: string;
}

type WithRule<Type> = Type extends { readonly code: "limit_not_met" } ? Replace<Type, RuleFields> : Type;

/** One reason of a 400. Its `code` determines its fields. */
export type Detail = WithRule<OwnFields<schemas.Detail>>;

/** The `code` of the details of an error, by the code of the error. */
export type DetailCode<Code extends string = ErrorCode> = NonNullable<
  Extract<schemas.Error, { readonly code: Code }>["details"]
>[number]["code"];

/** The details of an error, by its code. */
export type DetailOf<Code extends string> = [DetailCode<Code>] extends [never]
  ? never
  : Detail & { readonly code: DetailCode<Code> };

/** The response of GET /configured-bundles/:id. */
export type ConfiguredBundle = Replace<schemas.ConfiguredBundle, { details: readonly Detail[] }>;

/** An option of `sellingPlans`: `id` is its `groupId`. Configure needs the e-mail address; price ignores it. */
export type SubscriptionChoice = schemas.SubscriptionPrice & { readonly email?: string | undefined };

interface SelectionFields {
  /** One entry per unit, 1 to 200. */
  products: readonly SelectedItem[];
  countryCode?: string | null | undefined;
  subscription?: SubscriptionChoice | null | undefined;
  /** The discount of the conditions as the client calculated it. The service refuses a value that differs from its own. */
  bundleContent?: { readonly conditionsDiscount?: schemas.ConditionsDiscount | null } | null | undefined;
  /** The visitor of an A/B test, a UUID. */
  visitorId?: string | null | undefined;
}

export type PriceBody = Replace<schemas.PriceRequest, Omit<SelectionFields, "visitorId">>;
export type ConfigureBody = Replace<schemas.ConfigureRequest, SelectionFields>;

/** A selection to complete, which may be empty, and the shopper's wishes. */
export type CompleteBody = Replace<
  schemas.CompleteRequest,
  Omit<SelectionFields, "bundleContent" | "visitorId"> & {
    aim?: "nearest" | "cheapest" | null | undefined;
    /** Ids of products. */
    prefer?: readonly string[] | null | undefined;
    avoid?: readonly string[] | null | undefined;
    /** An amount in the shop's currency. */
    budget?: string | null | undefined;
  }
>;

/** An entry of POST /content: the configured bundle, or the ghost variant. */
export type ContentRequest = { readonly configuredBundleId: number } | { readonly variantId: number };
