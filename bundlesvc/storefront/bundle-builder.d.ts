// The element <bundle-builder>. docs/web-component.md describes its attributes, events and styling.

import type {
  ConfigureResult,
  CountryChange,
  Detail,
  EmbedBundle,
  MarkedItem,
  NetworkError,
  Presentment,
  Pricing,
  SelectedItem,
  ServiceError,
  ServiceErrorCode,
  ShopperSelection,
  ShownPrice,
} from "./client/client.js";

export declare class BundleBuilder extends HTMLElement {
  /** The bundle that was fetched, of the arm that an A/B test chose; null until then. */
  readonly bundle: EmbedBundle | null;
  /**
   * The current selection, with the free items that were added; null until a bundle was fetched. Set it, also before, and the
   * component opens with it: what the bundle does not offer is left out, with a sentence.
   */
  get selection(): ShopperSelection | null;
  set selection(selection: ShopperSelection | null);
  /**
   * The lines of the page's cart. Set them when the page opens and after each change: native bundles that were configured for
   * another country are configured again for the element's `country`, and `bundle:moved` has what to replace. Default: none.
   */
  get cartItems(): readonly MarkedItem[];
  set cartItems(items: readonly MarkedItem[] | null);
  /** Fetches the bundle again, past the copies of browser, CDN and service. Choices that it still offers stay. */
  reload(): void;
  /** Clears the selection. The subscription option and the e-mail address stay. */
  reset(): void;
}

export interface BundleReady {
  readonly bundle: EmbedBundle;
}

export interface BundleChange {
  readonly selection: ShopperSelection;
  /** Null when the selection has no price, for example when it is empty. */
  readonly pricing: Pricing | null;
  /** The price in the currency of the country's market; null in the shop's own. */
  readonly presentment: Presentment | null;
  /** Why it cannot be bought; empty when it can. */
  readonly failures: readonly Pick<Detail, "path" | "code">[];
}

export interface BundleAddToCart {
  readonly result: ConfigureResult;
  readonly bundle: EmbedBundle;
  /** The selection that was configured. */
  readonly selection: ShopperSelection;
}

/** An amount in a currency. */
export interface Amount {
  readonly amount: string;
  readonly currency: string;
}

export interface PriceChange {
  /** What the shopper was shown. */
  readonly before: Amount;
  readonly now: Amount;
  /** The new price as configure takes it. */
  readonly accept: ShownPrice;
}

/** A unit that has left the selection, with the name of its product and variant. */
export type RemovedItem = SelectedItem & { readonly title: string };

/** What has changed since the bundle was fetched that the service refused to configure. */
export interface BundleChanges {
  /** Whether rules, conditions or required products are others. */
  readonly rulesChanged: boolean;
  /** The chosen units that are not offered any more. */
  readonly removed: readonly RemovedItem[];
  /** Null when the price is not the reason, and when the selection cannot be bought as it is. */
  readonly price: PriceChange | null;
}

export interface BundleUpdate extends BundleChanges {
  /** The bundle as it is now. */
  readonly bundle: EmbedBundle;
}

export interface BundleError {
  /** A TypeError when an attribute is missing or wrong. */
  readonly error: ServiceError | NetworkError | TypeError;
  readonly problem: Problem;
}

/** What the component writes to the console. It consists of plain values, so a page can log it. */
export interface Problem {
  /**
   * The code of the ServiceError; "offline" when the browser says that it is, "unreachable" when the service does not respond
   * within 15 seconds, "page_error" for anything wrong with the element.
   */
  readonly code: ServiceErrorCode | "offline" | "unreachable" | "page_error";
  readonly status: number | null;
  /** Quote it to the operator. */
  readonly requestId: string | null;
  readonly message: string;
  /** What to do, for developers. */
  readonly remedy: string;
  readonly details: readonly Detail[];
}

declare global {
  interface HTMLElementTagNameMap {
    "bundle-builder": BundleBuilder;
  }
  /** All events bubble, also out of shadow trees, so a page can listen anywhere. */
  interface GlobalEventHandlersEventMap {
    "bundle:ready": CustomEvent<BundleReady>;
    "bundle:change": CustomEvent<BundleChange>;
    /** When cancelled, the page takes over: the component shows no success message and keeps the selection. */
    "bundle:addtocart": CustomEvent<BundleAddToCart>;
    /** The service refused what the page's copy of the bundle allows: it was fetched again, and the shopper sees what changed. */
    "bundle:update": CustomEvent<BundleUpdate>;
    "bundle:error": CustomEvent<BundleError>;
    /** Bundles of `cartItems` for another country: replace `moved` in the cart, and tell the shopper why `kept` stays. */
    "bundle:moved": CustomEvent<CountryChange>;
  }
}
