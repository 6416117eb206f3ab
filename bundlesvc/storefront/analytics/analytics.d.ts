// The component's events under the names of GA4's ecommerce events, for any tool that takes them.

export type EcommerceEvent = "view_item" | "select_item" | "add_to_cart";

export interface EcommerceItem {
  /** The bundle's id, or a variant's. */
  readonly item_id: string;
  readonly item_name: string;
  readonly item_variant?: string | undefined;
  /** Of a unit, after the discount. */
  readonly price?: number;
  /** What the discount takes off a unit. */
  readonly discount?: number;
  readonly quantity?: number;
}

/** The parameters of an event. It contains nothing that a shopper has written. */
export interface EcommerceData {
  /** ISO 4217: the currency that the shopper sees. */
  readonly currency?: string;
  /** What is charged, but for fees of personalisation. */
  readonly value?: number;
  /** The section of a product. */
  readonly item_list_id?: string | undefined;
  readonly item_list_name?: string | undefined;
  readonly items: readonly EcommerceItem[];
}

/**
 * Calls `send` when a shopper sees a bundle, chooses a product, and has configured the bundle for the cart, in all components
 * below `target`, such as `document`. `signal` ends it.
 */
export declare function measure(
  target: EventTarget,
  send: (name: EcommerceEvent, data: EcommerceData) => void,
  options?: { readonly signal?: AbortSignal },
): void;
