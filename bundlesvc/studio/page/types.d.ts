// Types of the management API, and of the values that the studio's modules pass to each other. Browsers do not load this file.

import type { BundleBuilder } from "../../storefront/bundle-builder.js";

/** Any JSON value. */
export type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [key: string]: Plain };

export type Operation = "gt" | "gte" | "lt" | "lte" | "eq";

export interface Tier {
  readonly type: "total_products" | "bulk_buy" | "total_price";
  readonly operation: Operation;
  readonly value: string;
  readonly discount: string;
  readonly customText?: string;
}

export interface Discount {
  readonly type: "percentage" | "fixed" | "price";
  readonly value?: string;
  readonly flatOrTiered?: "flat" | "tiered";
  readonly minimum?: string;
  readonly operator?: "max" | "cumulative";
  readonly tiers?: readonly Tier[];
}

export interface SectionProduct {
  readonly bundleItemId: number;
  readonly platformProductId: number;
  readonly variantIds?: readonly number[];
}

export interface Section {
  readonly id: number;
  readonly name?: string;
  readonly description?: string;
  readonly imageUrl?: string;
  readonly order?: number;
  readonly autoNextSection?: boolean;
  readonly products?: readonly SectionProduct[];
}

export interface RequiredProduct {
  readonly platformProductId: number;
  readonly variantIds?: readonly number[];
  readonly quantity?: number;
}

export interface LimitRule {
  readonly type: string;
  readonly operation?: string;
  readonly value?: string;
  readonly sectionId?: number;
}

export interface Node {
  readonly id: string;
  readonly kind: string;
  readonly type?: string;
  readonly operation?: string;
  readonly value?: string;
  readonly mode?: string;
  readonly children?: readonly string[];
  readonly when?: string;
  readonly sectionId?: number | null;
  readonly productId?: string;
  readonly variantId?: string;
  readonly quantity?: number;
  readonly text?: string;
  readonly discount?: { readonly type: string; readonly value: string };
}

export interface Fee {
  readonly variantId: number;
  readonly amount: string;
  readonly currencyCode: string;
}

export interface Field {
  readonly key: string;
  readonly id?: string;
  readonly label?: string;
  readonly type: "text" | "dropdown" | "checkbox" | "image";
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly characterLimit?: number;
  readonly options?: readonly string[];
  readonly helpText?: string;
  readonly fee?: Fee;
}

export interface PlanOption {
  readonly frequency: number;
  readonly unit: "day" | "week" | "month" | "year";
  readonly discount?: string;
}

export interface PlanGroup {
  readonly id: number;
  readonly name?: string;
  readonly options?: readonly PlanOption[];
}

export interface Subscription {
  readonly mode?: "optional" | "required" | "disabled";
  readonly groups?: readonly PlanGroup[];
}

/** A bundle in the format of the shop file (docs/shop-file.md). */
export interface Bundle {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly imageUrl?: string;
  readonly bundlingOption?: string;
  readonly published?: boolean;
  readonly publishedFrom?: string;
  readonly publishedUntil?: string;
  readonly layout?: string;
  readonly platformProductId?: number;
  readonly parentVariantId?: number;
  readonly templateCode?: string;
  readonly discount?: Discount;
  readonly sections?: readonly Section[];
  readonly requiredProducts?: readonly RequiredProduct[];
  readonly limitRules?: readonly LimitRule[];
  readonly conditions?: readonly Node[];
  readonly personalisation?: Readonly<Record<string, readonly Field[]>>;
  readonly subscription?: Subscription;
  readonly translations?: Readonly<Record<string, Translation>>;
}

export interface Translation {
  readonly name?: string;
  readonly description?: string;
  readonly sections?: Readonly<Record<string, { readonly name?: string; readonly description?: string }>>;
  readonly tiers?: Readonly<Record<string, { readonly customText?: string }>>;
  readonly texts?: Readonly<Record<string, string>>;
  readonly personalisation?: Readonly<Record<string, Readonly<Record<string, FieldTranslation>>>>;
  readonly groups?: Readonly<Record<string, { readonly name?: string }>>;
}

export interface FieldTranslation {
  readonly label?: string;
  readonly placeholder?: string;
  readonly helpText?: string;
  readonly options?: Readonly<Record<string, string>>;
}

export interface ShopSection {
  readonly handle: string;
  readonly name?: string;
  readonly currency?: string;
  readonly moneyFormat?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly activeFeatures?: readonly string[];
  readonly templates?: readonly string[];
  readonly platform?: { readonly kind?: string };
}

export interface OwnProduct {
  readonly id: number;
  readonly title: string;
  readonly handle?: string;
  readonly imageUrl?: string;
  readonly status?: string;
  readonly variants?: readonly {
    readonly id: number;
    readonly price: string;
    readonly title?: string;
    readonly sku?: string;
  }[];
}

export interface Arm {
  readonly bundleId: number;
  readonly weight: number | string;
}

export interface Experiment {
  readonly id: string;
  readonly bundleId: number;
  readonly arms?: readonly Arm[];
}

export interface Content {
  readonly shop: ShopSection;
  readonly markets: readonly { readonly countryCode: string; readonly currency: string }[];
  readonly products: readonly OwnProduct[];
  readonly bundles: readonly Bundle[];
  readonly experiments: readonly Experiment[];
}

export interface Revision {
  readonly number: number;
  readonly state: "draft" | "scheduled" | "live" | "past" | "discarded";
  readonly base: number | null;
  readonly author: string;
  readonly source: string;
  readonly message: string;
  readonly createdAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly problem: string | null;
}

export interface Change {
  readonly path: string;
  readonly before: Plain;
  readonly after: Plain;
  readonly sentence: string;
}

export interface Finding {
  readonly path: string;
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  readonly hint: string;
  readonly fix: Plain;
  /** The line in the shop file, if the studio shows one. */
  readonly line?: number | null;
}

export interface Conflict {
  readonly path: string;
  readonly base: Plain;
  readonly live: Plain;
  readonly yours: Plain;
}

/** The sales of a bundle: the number of units, and the amounts by currency. */
export interface Sales {
  readonly bundleId: number;
  readonly sold: number;
  readonly money: readonly { readonly currency: string; readonly revenue: string }[];
}

export interface Replayed {
  readonly bundleId: number;
  readonly selections: number;
  readonly dearer: number;
  readonly cheaper: number;
  readonly same: number;
  readonly refused: readonly { readonly code: string; readonly count: number }[];
  readonly sumBefore: string;
  readonly sumAfter: string;
}

/** A product to choose, from the shop's own catalogue or from its platform. */
export interface Product {
  readonly platformProductId: string;
  readonly title: string;
  readonly imageUrl: string;
  readonly status: string;
  readonly variants: readonly {
    readonly platformVariantId: string;
    readonly title: string;
    readonly price: string;
    readonly available?: boolean;
  }[];
}

export interface SessionInfo {
  readonly label: string;
  readonly scopes: readonly string[];
  readonly shop: string;
}

/** A view of the page. `end` is called when another view replaces it. */
export interface View {
  readonly title: string;
  readonly nodes: readonly Node_[];
  readonly end?: () => void;
  /** Whether the view must be recreated after a change of the workspace. */
  readonly isOutdated?: () => boolean;
}
type Node_ = globalThis.Node;

interface Parts {
  readonly header: HTMLElement;
  readonly banner: HTMLElement;
  readonly main: HTMLElement;
  readonly said: HTMLElement;
  readonly dialogs: HTMLElement;
  readonly skip: HTMLAnchorElement;
  readonly builder: BundleBuilder | null;
}
export type Part<Id extends string> = Id extends keyof Parts ? Parts[Id] : HTMLElement | null;
