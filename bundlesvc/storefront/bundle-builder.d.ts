// The element <bundle-builder>: attributes, events and looks are described in docs/web-component.md.

import type {
  ConfigureResult,
  Detail,
  EmbedBundle,
  NetworkError,
  Pricing,
  ServiceError,
  ShopperSelection,
} from "./client/client.js";

export declare class BundleBuilder extends HTMLElement {
  /** The bundle as it was read, of the arm that an A/B test chose; null until then. */
  readonly bundle: EmbedBundle | null;
  /** What is chosen, free items that were added among it; null until there is a bundle. */
  readonly selection: ShopperSelection | null;
  /** Reads the bundle again, past what the browser has kept; what was chosen stays as far as it is still there. */
  reload(): void;
  /** Choose anew; how and for whom to subscribe stays. */
  reset(): void;
}

export interface BundleReady {
  readonly bundle: EmbedBundle;
}

export interface BundleChange {
  readonly selection: ShopperSelection;
  /** Null where the selection has no price, as when it is empty. */
  readonly pricing: Pricing | null;
  /** Why it cannot be bought; empty when it can. */
  readonly failures: readonly Pick<Detail, "path" | "code">[];
}

export interface BundleAddToCart {
  readonly result: ConfigureResult;
  readonly bundle: EmbedBundle;
  /** What was configured. */
  readonly selection: ShopperSelection;
}

export interface BundleError {
  /** A TypeError when an attribute is missing or wrong. */
  readonly error: ServiceError | NetworkError | TypeError;
}

declare global {
  interface HTMLElementTagNameMap {
    "bundle-builder": BundleBuilder;
  }
  /** All bubble and leave shadow trees, so they can be listened for anywhere. */
  interface GlobalEventHandlersEventMap {
    "bundle:ready": CustomEvent<BundleReady>;
    "bundle:change": CustomEvent<BundleChange>;
    /** Cancelled: the page takes over; the component shows no success, and keeps what is chosen. */
    "bundle:addtocart": CustomEvent<BundleAddToCart>;
    "bundle:error": CustomEvent<BundleError>;
  }
}
