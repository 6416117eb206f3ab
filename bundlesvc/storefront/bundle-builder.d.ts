// The element <bundle-builder>. Its attributes, events and styling are described in docs/web-component.md.

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
  /** The fetched bundle (of the arm that an A/B test chose); null until it has been fetched. */
  readonly bundle: EmbedBundle | null;
  /**
   * The current selection, including added free items; null until a bundle has been fetched. Set it at any time, even before, and
   * the component opens with it. Items that the bundle does not offer are left out, and a sentence says so.
   */
  get selection(): ShopperSelection | null;
  set selection(selection: ShopperSelection | null);
  /**
   * The lines of the page's cart. Set them when the page opens and after each change: native bundles that were configured for
   * another country are then configured again for the element's `country`, and `bundle:moved` says what to replace. Default:
   * none.
   */
  get cartItems(): readonly MarkedItem[];
  set cartItems(items: readonly MarkedItem[] | null);
  /** Fetches the bundle again, past the caches of browser, CDN and service. Chosen items that it still offers stay chosen. */
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
  /** The price in the currency of the country's market; null when that is the shop's own. */
  readonly presentment: Presentment | null;
  /** The reasons why the selection cannot be bought; empty when it can. */
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
  /** The price that the shopper was shown. */
  readonly before: Amount;
  readonly now: Amount;
  /** The new price, in the form that configure accepts. */
  readonly accept: ShownPrice;
}

/** A unit that was removed from the selection, with the name of its product and variant. */
export type RemovedItem = SelectedItem & { readonly title: string };

/** The changes since the page fetched the bundle that the service refused to configure. */
export interface BundleChanges {
  /** Whether rules, conditions or required products have changed. */
  readonly rulesChanged: boolean;
  /** The chosen units that are no longer offered. */
  readonly removed: readonly RemovedItem[];
  /** Null when the price is not the reason, or when the selection cannot be bought in its current state. */
  readonly price: PriceChange | null;
}

export interface BundleUpdate extends BundleChanges {
  /** The current bundle. */
  readonly bundle: EmbedBundle;
}

export interface BundleError {
  /** A TypeError when an attribute is missing or wrong. */
  readonly error: ServiceError | NetworkError | TypeError;
  readonly problem: Problem;
}

/** The data that the component writes to the console. All values are plain, so a page can log it. */
export interface Problem {
  /**
   * The code of the ServiceError; "offline" when the browser is offline, "unreachable" when the service does not respond within
   * 15 seconds, "page_error" for any fault in the use of the element.
   */
  readonly code: ServiceErrorCode | "offline" | "unreachable" | "page_error";
  readonly status: number | null;
  /** Mention it when you contact the operator. */
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
  /** All events bubble, even out of shadow trees, so a page can listen anywhere. */
  interface GlobalEventHandlersEventMap {
    "bundle:ready": CustomEvent<BundleReady>;
    "bundle:change": CustomEvent<BundleChange>;
    /** Cancel it to take over: the component then shows no success message and keeps the selection. */
    "bundle:addtocart": CustomEvent<BundleAddToCart>;
    /**
     * The service refused a selection that the page's copy of the bundle allows. The bundle was fetched again, and the shopper
     * sees what has changed.
     */
    "bundle:update": CustomEvent<BundleUpdate>;
    "bundle:error": CustomEvent<BundleError>;
    /** Bundles of `cartItems` for another country: replace `moved` in the cart, and tell the shopper why `kept` stays. */
    "bundle:moved": CustomEvent<CountryChange>;
  }
}
