// The nodes of a bundle's conditions as GET /bundles/:id sends them (docs/conditions.schema.json): type aliases and not
// interfaces, so that each is also a plain record of its fields.

export type Operation = "gt" | "gte" | "lt" | "lte" | "eq";
export type DiscountType = "percentage" | "fixed" | "price";
export type WeightUnit = "g" | "kg" | "oz" | "lb";

type ConditionOf<Type extends string> = {
  readonly id: string;
  readonly kind: "condition";
  readonly type: Type;
};

/** `value` is a decimal string: "3", "3.00", "0.9". */
type Limit = {
  readonly operation: Operation;
  readonly value: string;
};

/** Null or absent: the whole selection. */
type Scope = {
  readonly sectionId?: number | null;
};

export type TotalCondition = ConditionOf<"total-products" | "total-price" | "total-weight"> & Limit & Scope;
export type ProductQuantityCondition = ConditionOf<"product-quantity"> & Limit & Scope & { readonly productId: string };
/** "gte" and "1" are meant where operation and value are absent. */
export type VariantSelectedCondition = ConditionOf<"variant-selected"> &
  Scope & {
    readonly variantId: string;
    readonly operation?: Operation | null;
    readonly value?: string | null;
  };
export type SectionQuantityCondition = ConditionOf<"section-quantity"> & Limit & { readonly sectionId: number };
export type CountryCondition = ConditionOf<"country"> & { readonly operation?: "eq" | null; readonly value: string };
export type SubscriptionChosenCondition = ConditionOf<"subscription-chosen">;

export type ConditionNode =
  | TotalCondition
  | ProductQuantityCondition
  | VariantSelectedCondition
  | SectionQuantityCondition
  | CountryCondition
  | SubscriptionChosenCondition;

export type GroupNode = {
  readonly id: string;
  readonly kind: "group";
  readonly mode: "all" | "any" | "none";
  /** Ids of conditions and groups. */
  readonly children: readonly string[];
};

/** `when` names a condition or a group; without it the action always fires. */
type ActionOf<Type extends string> = {
  readonly id: string;
  readonly kind: "action";
  readonly type: Type;
  readonly when?: string | null;
};

export type DiscountAction = ActionOf<"discount"> & {
  readonly discount: { readonly type: DiscountType; readonly value: string };
};
export type FreeItemAction = ActionOf<"free-item"> & { readonly variantId: string; readonly quantity: number };
export type TextAction = ActionOf<"message" | "block-cart"> & { readonly text: string };
export type SectionAction = ActionOf<"hide-section" | "goto-section"> & { readonly sectionId: number };
export type HideProductAction = ActionOf<"hide-product"> & {
  readonly productId: string;
  readonly sectionId?: number | null;
};

export type ActionNode = DiscountAction | FreeItemAction | TextAction | SectionAction | HideProductAction;

/** A node of a kind or type that this version does not know: it is left out, with all that depends on it. */
export type UnknownNode = {
  readonly id: string;
  readonly kind: string;
  readonly [field: string]: unknown;
};

export type GraphNode = ConditionNode | GroupNode | ActionNode | UnknownNode;

/** One selected unit, as in `products` of the configure body. Ids numeric or global (gid://platform/…). */
export interface SelectedItem {
  readonly variant: string;
  readonly product: string;
  /** 0 for a unit that belongs to no section: a required product, a free item. */
  readonly section: number;
  /** Answers by key; a unit that has some is the last to be set aside as a free item. */
  readonly personalisation?: Readonly<Record<string, string | boolean | null>> | null;
}

/** What the engine must know of a variant; the variants of GET /bundles/:id/products fit. */
export interface VariantFacts {
  /** Shop currency, a decimal string. */
  readonly price: string;
  /** The market's price in shop currency; read when `facts.country` is given. */
  readonly priceInShopCurrency?: string | null;
  /** A whole number. */
  readonly grams: number;
}

export interface Selection {
  readonly items: readonly SelectedItem[];
  /** Variants by numeric id, such as a Map. One that is not there counts with neither price nor weight. */
  readonly variants: { get(variantId: string): VariantFacts | undefined };
}

export interface Facts {
  /** `weightUnit` of the bundle. */
  readonly weightUnit: WeightUnit;
  /** The `countryCode` that is sent with the selection, if any. */
  readonly country?: string | null;
  /** Whether a subscription option is chosen. */
  readonly subscribed?: boolean;
}

/** Units of the selection that cost nothing. */
export interface FreeUnits {
  readonly variantId: string;
  readonly sectionId: number;
  readonly count: number;
  /** The free-item action that grants them. */
  readonly actionId: string;
}

export interface HiddenProduct {
  readonly productId: string;
  /** Null: in every section. */
  readonly sectionId: number | null;
}

export interface ActionText {
  readonly actionId: string;
  readonly text: string;
}

/**
 * Whether an action fired, and the ids of the conditions that decided it: as long as these stay as they are, so does the
 * action, whatever the others do.
 */
export interface ActionVerdict {
  readonly id: string;
  readonly fired: boolean;
  readonly decidedBy: readonly string[];
}

/** What the graph comes to. Every list is in the order of the graph. */
export interface ConditionsResult {
  /** Of the first discount action that fired; it takes the place of the bundle's own. Send it as `conditionsDiscount`. */
  readonly discount: { readonly type: DiscountType; readonly value: string; readonly actionId: string } | null;
  readonly free: readonly FreeUnits[];
  readonly messages: readonly ActionText[];
  readonly hiddenSections: readonly number[];
  readonly hiddenProducts: readonly HiddenProduct[];
  /** Of the first goto-section action that fired. */
  readonly goto: number | null;
  /** Reasons why the selection cannot be configured. */
  readonly blocks: readonly ActionText[];
  /** Every action that could be run, fired or not. */
  readonly actions: readonly ActionVerdict[];
  /** Whether nodes were left out because this version cannot run them. */
  readonly partial: boolean;
}

/**
 * What a bundle's conditions come to for a selection. The service decides all the same: show what will happen with it, and
 * send the selection as it is.
 *
 * @throws TypeError when the price of a variant is no decimal string, RangeError when its weight is no whole number
 */
export declare function evaluateConditions(
  nodes: readonly GraphNode[] | null | undefined,
  selection: Selection,
  facts: Facts,
): ConditionsResult;
