// The component's events under the names of GA4's ecommerce events, for any tool that accepts these names.

export type EcommerceEvent = "view_item" | "select_item" | "add_to_cart";

export interface EcommerceItem {
  /** The id of the bundle, or of a variant. */
  readonly item_id: string;
  readonly item_name: string;
  readonly item_variant?: string | undefined;
  /** The price of one unit after the discount. */
  readonly price?: number;
  /** The discount per unit. */
  readonly discount?: number;
  readonly quantity?: number;
}

/** The parameters of an event. It contains no text written by a shopper. */
export interface EcommerceData {
  /** The currency that the shopper sees (ISO 4217). */
  readonly currency?: string;
  /** The charge, without fees for personalisation. */
  readonly value?: number;
  /** The section that a product was chosen from. */
  readonly item_list_id?: string | undefined;
  readonly item_list_name?: string | undefined;
  readonly items: readonly EcommerceItem[];
}

/**
 * Calls `send` when a shopper sees a bundle, chooses a product, or configures the bundle for the cart, for all components below
 * `target`, such as `document`. Abort `signal` to stop.
 */
export declare function measure(
  target: EventTarget,
  send: (name: EcommerceEvent, data: EcommerceData) => void,
  options?: { readonly signal?: AbortSignal },
): void;
