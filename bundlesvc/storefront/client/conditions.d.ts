// The nodes of a bundle's conditions as returned by GET /bundles/:id (docs/conditions.schema.json). They are type aliases instead
// of interfaces, so that each is also a plain record of its fields.

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
/** An absent operation means "gte", an absent value "1". */
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
  /** The ids of the conditions and groups that the group combines. */
  readonly children: readonly string[];
};

/** `when` is the id of a condition or a group; without it the action always fires. */
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

/** A node of a kind or type that this version does not know. It is skipped, with every node that depends on it. */
export type UnknownNode = {
  readonly id: string;
  readonly kind: string;
  readonly [field: string]: unknown;
};

export type GraphNode = ConditionNode | GroupNode | ActionNode | UnknownNode;

/** A selected unit, as in `products` of the configure body. Ids are numeric or global (gid://platform/…). */
export interface SelectedItem {
  readonly variant: string;
  readonly product: string;
  /** 0 for a unit that belongs to no section: a required product, a free item. */
  readonly section: number;
  /** Answers by key. Units with answers are set aside as free items last. */
  readonly personalisation?: Readonly<Record<string, string | boolean | null>> | null;
}

/** The data about a variant that the engine needs; the variants of GET /bundles/:id/products have it. */
export interface VariantFacts {
  /** The price in the shop's currency, a decimal string. */
  readonly price: string;
  /** The market's price in the shop's currency; used when `facts.country` is given. */
  readonly priceInShopCurrency?: string | null;
  /** The weight in grams, a whole number. */
  readonly grams: number;
}

export interface Selection {
  readonly items: readonly SelectedItem[];
  /** Variants by numeric id, for example a Map. A missing variant has no price and no weight. */
  readonly variants: { get(variantId: string): VariantFacts | undefined };
}

export interface Facts {
  /** `weightUnit` of the bundle. */
  readonly weightUnit: WeightUnit;
  /** The `countryCode` to send with the selection, if any. */
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
 * Whether an action fired, and the ids of the conditions that decided this: while these conditions keep their results, so does
 * the action, whatever the other conditions do.
 */
export interface ActionVerdict {
  readonly id: string;
  readonly fired: boolean;
  readonly decidedBy: readonly string[];
}

/** The result of a graph. Every list is in the order of the graph. */
export interface ConditionsResult {
  /** The discount of the first discount action that fired; it replaces the bundle's own. Send it as `conditionsDiscount`. */
  readonly discount: { readonly type: DiscountType; readonly value: string; readonly actionId: string } | null;
  readonly free: readonly FreeUnits[];
  readonly messages: readonly ActionText[];
  readonly hiddenSections: readonly number[];
  readonly hiddenProducts: readonly HiddenProduct[];
  /** The section named by the first goto-section action that fired. */
  readonly goto: number | null;
  /** The reasons why the selection cannot be configured. */
  readonly blocks: readonly ActionText[];
  /** Every action that this version can run, fired or not. */
  readonly actions: readonly ActionVerdict[];
  /** Whether nodes were skipped because this version cannot run them. */
  readonly partial: boolean;
}

/**
 * Evaluates a bundle's conditions for a selection. Use the result only for display: the service evaluates the conditions itself,
 * so send the selection unchanged.
 *
 * @throws TypeError when a variant's price is not a decimal string, RangeError when its weight is not a whole number
 */
export declare function evaluateConditions(
  nodes: readonly GraphNode[] | null | undefined,
  selection: Selection,
  facts: Facts,
): ConditionsResult;
