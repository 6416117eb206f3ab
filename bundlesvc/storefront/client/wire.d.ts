// What the service answers and takes. Ids of products and variants are numeric strings, those of bundles and sections
// numbers; amounts are strings in the shop's currency with two decimals.

import type { DiscountType, GraphNode, Operation, SelectedItem, WeightUnit } from "./conditions.js";

export type BundleType = "native" | "multiple-products" | "single-product";

/** An element of GET /bundles. */
export interface BundleSummary {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** May be empty, as everywhere. */
  readonly imageUrl: string;
  readonly type: BundleType;
  /** "bundles"; old ones may say otherwise. */
  readonly bundlingOption: string;
  readonly published: boolean;
}

/** GET /bundles/:id. */
export interface Bundle extends BundleSummary {
  readonly layout: "single-page" | "multiple-sections";
  readonly discount: Discount | null;
  readonly sections: readonly Section[];
  readonly requiredProducts: readonly RequiredProduct[];
  readonly limitRules: readonly LimitRule[];
  readonly weightUnit: WeightUnit;
  readonly conditionsEngineEnabled: boolean;
  /** There when the shop has the feature `conditions`. */
  readonly conditionsEngineNodes?: readonly GraphNode[];
  /** Whether the service took nodes out that it cannot run. */
  readonly conditionsPartial: boolean;
  /** There when the bundle can be subscribed to. */
  readonly sellingPlans?: readonly SellingPlan[];
  /** Fields by product id; there when the shop has the feature `personalisation` and the bundle has fields. */
  readonly personalisation?: Readonly<Record<string, readonly PersonalisationField[]>>;
}

/** `value` and the tiers' `discount` are percentages, amounts off or prices of the bundle, by `type`. */
export interface Discount {
  readonly type: DiscountType;
  readonly value: string;
  readonly flatOrTiered: "flat" | "tiered";
  /** The amount from which the discount applies. */
  readonly minimum: string | null;
  /** Null means "max": of the tiers reached, the one that takes most off. */
  readonly operator: "max" | "cumulative" | null;
  /** Empty for a flat discount. */
  readonly tiers: readonly Tier[];
}

/** Counted in items, in items of one product, or in money. */
export type TierType = "total_products" | "bulk_buy" | "total_price";

export interface Tier {
  readonly type: TierType;
  readonly operation: Operation;
  readonly value: string;
  readonly discount: string;
  readonly customText: string | null;
}

export interface Section {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly imageUrl: string;
  readonly order: number;
  /** Whether to go to the next step once this one is satisfied. */
  readonly autoNextSection: boolean;
  readonly products: readonly SectionProduct[];
}

export interface SectionProduct {
  readonly bundleItemId: number;
  readonly platformProductId: string;
  /** Empty: every variant. */
  readonly variantIds: readonly string[];
}

export interface RequiredProduct {
  readonly platformProductId: string;
  /** Any of these counts; empty: every variant. */
  readonly variantIds: readonly string[];
  readonly quantity: number;
}

export type LimitRuleType =
  | "bundle-price"
  | "bundle-price-before-discount"
  | "total-number-of-products"
  | "number-of-different-products"
  | "multiples-of"
  | "amount-of-one-product"
  | "amount-of-one-variant"
  | "amount-of-weight";

export interface LimitRule {
  readonly type: LimitRuleType;
  readonly operation: Operation;
  readonly value: string;
  /** Null: the whole bundle. */
  readonly sectionId: number | null;
}

export type SubscriptionUnit = "day" | "week" | "month" | "year";

/** One option to subscribe; `groupId`, `frequency` and `unit` are what a body's `subscription` names. */
export interface SellingPlan {
  readonly sellingPlanId: string;
  readonly name: string;
  readonly cadenceLabel: string;
  readonly savingPercent: string;
  readonly groupId: number;
  readonly frequency: number;
  readonly unit: SubscriptionUnit;
  /** Whether the bundle is sold by subscription only. */
  readonly required: boolean;
}

export interface PersonalisationField {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly type: "text" | "dropdown" | "checkbox" | "image";
  readonly required: boolean;
  readonly placeholder: string;
  /** In UTF-16 units, as `maxlength` counts: 500 for a text that sets none, null for another type that sets none. */
  readonly characterLimit: number | null;
  readonly options: readonly string[];
  readonly helpText: string;
  /** What an answer costs: a cart line of its own, not part of the pricing. */
  readonly fee: PersonalisationFee | null;
}

export interface PersonalisationFee {
  readonly variantId: string;
  readonly amount: string;
  readonly currencyCode: string;
}

/** An element of GET /bundles/:id/products. */
export interface Product {
  readonly platformProductId: string;
  readonly platformProductGid: string;
  readonly title: string;
  readonly handle: string;
  readonly imageUrl: string;
  /** Only active products can be bought. */
  readonly status: "ACTIVE" | "ARCHIVED" | "DRAFT";
  readonly tags: readonly string[];
  /** As the merchant wrote it: sanitise it before rendering. */
  readonly descriptionHtml: string;
  readonly options: readonly ProductOption[];
  readonly variants: readonly Variant[];
}

export interface ProductOption {
  readonly name: string;
  /** From 1. */
  readonly position: number;
  readonly values: readonly string[];
  /** By value. */
  readonly swatches: Readonly<Record<string, Swatch>>;
}

export interface Swatch {
  readonly color: string;
  readonly imageUrl: string;
}

export interface Variant {
  readonly platformVariantId: string;
  readonly platformVariantGid: string;
  readonly title: string;
  readonly price: string;
  readonly compareAtPrice: string | null;
  readonly sku: string;
  /** Purchasable in the base store. */
  readonly available: boolean;
  readonly inventoryQuantity: number;
  readonly grams: number;
  /** In the order of the product's options. */
  readonly optionValues: readonly string[];
  /** Absent: the product's image. */
  readonly image?: string;
  /** This and the following: there when a country was asked for. In the market's currency. */
  readonly presentmentPrice?: string;
  readonly presentmentCurrency?: string;
  /** What prices are reckoned from. */
  readonly priceInShopCurrency?: string;
  /** Whether the market sells it; says nothing of stock. */
  readonly availableForSale?: boolean;
}

/** GET /settings. */
export interface Settings {
  readonly activeFeatures: readonly string[];
  readonly currency: string;
  /** A template such as "€{{amount}}", for `formatMoney`; may hold HTML. */
  readonly moneyFormat: string;
  readonly weightUnit: WeightUnit;
}

/** POST /bundles/:id/price. `discountType` "none" with the value "0.00": no discount applied. */
export interface Pricing {
  readonly originalPrice: string;
  readonly discountedPrice: string;
  readonly discountType: DiscountType | "none";
  readonly discountValue: string;
  readonly currency: string;
}

/** An option of `sellingPlans`. */
export interface SubscriptionChoice {
  /** `groupId` of the plan. */
  readonly id: number;
  readonly frequency: number;
  readonly unit: SubscriptionUnit;
  /** Who subscribes: configure needs it, price does not read it. */
  readonly email?: string | undefined;
}

export interface PriceBody {
  /** An entry a unit: 1 to 200. */
  readonly products: readonly SelectedItem[];
  readonly countryCode?: string | null | undefined;
  readonly subscription?: SubscriptionChoice | null | undefined;
  readonly bundleContent?: { readonly conditionsDiscount?: ConditionsDiscount | null } | null | undefined;
}

export interface ConfigureBody extends PriceBody {
  readonly type: BundleType;
  /** The visitor of an A/B test, a UUID. */
  readonly visitorId?: string | null | undefined;
}

/** What the client's own evaluation of the conditions came to; the service refuses any other value than its own. */
export interface ConditionsDiscount {
  readonly type: DiscountType;
  readonly value: string;
}

/** POST /bundles/:id/configure. */
export interface ConfigureResult {
  readonly configured_bundle_id: number;
  /** The variant to add to the cart, where `cart` is null. */
  readonly variant_id: string;
  readonly product_id: string;
  /** Sealed: for the cart-transform step alone. */
  readonly discount: string;
  readonly subscription_id: number | null;
  readonly pricing: Pricing;
  /** Native bundles only. */
  readonly cart: CartPayload | null;
}

export interface CartPayload {
  readonly line_items: readonly CartLine[];
  readonly attributes: { readonly _bundles: string };
}

/** An item of the platform's add-to-cart call. */
export interface CartLine {
  readonly id: number;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** GET /settings of the embed API. */
export interface EmbedSettings extends Settings {
  readonly locale: string;
  readonly shop: { readonly name: string; readonly domain: string };
  readonly templates: readonly string[];
  /** The component's own words by key. */
  readonly texts: Readonly<Record<string, string>>;
  readonly stockReminders: boolean;
}

/** GET /bundle of the embed API: all that is needed to draw a bundle. */
export interface EmbedBundle extends Bundle {
  readonly products: readonly Product[];
  /** Empty when the bundle has no product of its own. */
  readonly productHandle: string;
  readonly productUrl: string;
  readonly bundleUrl: string;
  readonly templateCode: string;
  readonly locale: string;
  readonly settings: EmbedSettings;
  /** There when a visitor was routed by an A/B test. */
  readonly experiment?: {
    readonly id: string;
    readonly arm: number;
    readonly entryBundleId: number;
    readonly bundleId: number;
  };
}

/** GET /bundle/:id/variant/:variantId of the embed API. */
export interface VariantItems {
  readonly items: readonly {
    readonly variantId: number;
    readonly sectionId: number;
    readonly availableVariantIds: readonly number[];
  }[];
}

/** What POST /content is asked about. */
export type ContentRequest = { readonly configuredBundleId: number } | { readonly variantId: number };

/** POST /content of the embed API; unknown bundles are left out. */
export interface Contents {
  readonly bundles: readonly {
    readonly configuredBundleId: number;
    readonly variantId: string;
    /** A line per variant: "2 x Shirt - S". */
    readonly content: string;
  }[];
}

/** POST /notify of the embed API. */
export interface Notified {
  readonly message_code: "success" | "already_registered" | "in_stock";
}

/** One reason of a refusal. Which fields it has beside these three goes by its code. */
export interface Detail {
  /** What is at fault: "products.3", "limitRules.0", "subscription.email". */
  readonly path: string;
  readonly code: string;
  /** A sentence for a person, in English. */
  readonly message: string;
  /** Of `limit_not_met`, with all that follow but the ids: decimal strings in the rule's unit. */
  readonly rule?: LimitRuleType;
  readonly operation?: Operation;
  /** Of `section_hidden`, too. */
  readonly sectionId?: number | null;
  /** Of `required_missing`, too, as are `actual` and `missing`. */
  readonly limit?: string;
  readonly actual?: string;
  /** What must be added; "0" when there is too much. */
  readonly missing?: string;
  /** The values of which one must hold. */
  readonly alternatives?: readonly string[];
  readonly platformProductId?: string;
  readonly platformVariantId?: string;
  /** Of `mismatch`: what the service came to. */
  readonly conditionsDiscount?: ConditionsDiscount | null;
}
