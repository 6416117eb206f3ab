// Types of the service's responses to the demo's page, and of the values that the page's modules pass to each other. Browsers do not
// load this file.

import type { BundleBuilder } from "../../storefront/bundle-builder.js";
import type { BundleOffer, Client, Settings } from "../../storefront/client/client.js";

/** The elements of the pages by id, where the type is more specific than HTMLElement. Null if a view may lack the element. */
interface Parts {
  readonly builder: BundleBuilder | null;
  readonly "cart-button": HTMLButtonElement;
  readonly country: HTMLSelectElement;
  readonly "dev-toggle": HTMLButtonElement;
  readonly drawer: HTMLDialogElement;
  readonly lang: HTMLSelectElement;
  readonly picture: HTMLElement | null;
  readonly share: HTMLAnchorElement;
}
export type Part<Id extends string> = Id extends keyof Parts ? Parts[Id] : HTMLElement;

/** The response of GET /demo/shop.json. */
export interface ShopData {
  readonly apiKey: string;
  readonly basePath: string;
  /** Whether the service accepts orders. */
  readonly canBuy: boolean;
  readonly shop: { readonly handle: string; readonly name: string; readonly domain: string };
  readonly settings: Settings;
  readonly locale: string;
  readonly languages: readonly string[];
  readonly templates: readonly string[];
  readonly countries: readonly { readonly code: string; readonly currency: string }[];
}

/** The shop with the list of its bundles, and the client that fetched it. */
export interface Shop extends ShopData {
  readonly bundles: readonly BundleOffer[];
  readonly client: Client;
}

/** The charge in the shop's currency, and in the market's when the shopper has a country. */
export interface Charged {
  readonly total: string;
  readonly marketTotal: string | null;
}

interface Sold extends Charged {
  readonly title: string;
  /** Empty for the only variant of a product. */
  readonly variantTitle: string;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** A line of a receipt. */
export interface ReceiptLine extends Sold {
  readonly kind: "bundle" | "fee" | "ghost" | "item";
  readonly percentage: string;
  readonly original: string;
  readonly marketOriginal: string | null;
  /** The contents of a ghost variant. */
  readonly contents: readonly string[];
  /** The lines of the cart that were merged. */
  readonly components: readonly Sold[];
}

/** The reason why a discount does not apply. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly configuredBundleId: number | null;
  readonly details: {
    readonly variants?: readonly { readonly variantId: number; readonly promised: number; readonly found: number }[];
  };
}

/** The response of POST /demo/checkout. */
export interface Receipt extends Charged {
  readonly currency: string;
  readonly countryCode: string | null;
  readonly marketCurrency: string | null;
  readonly lines: readonly ReceiptLine[];
  readonly refusals: readonly Refusal[];
}

/** The verdict on a bundle of an order. Amounts are in the order's currency, and null when unknown. */
export interface Verdict {
  readonly configuredBundleId: number;
  readonly bundleId: number | null;
  readonly verdict: string;
  readonly cause: string | null;
  /** The reason why the checkout refused the discount. */
  readonly reason: string | null;
  readonly promised: string | null;
  readonly charged: string;
  readonly difference: string | null;
  /** The ids of the bundle's lines. */
  readonly lines: readonly string[];
}

/** A line of an order, before and after its discounts. */
export interface OrderLine {
  readonly id: string;
  readonly title: string;
  readonly variantTitle: string;
  readonly quantity: number;
  readonly listed: string;
  readonly charged: string;
  /** The contents of a ghost variant. */
  readonly contents: readonly string[];
}

/** The response of GET /demo/orders/:id. */
export interface BoughtOrder {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly bundles: readonly Verdict[];
  readonly lines: readonly OrderLine[];
}

/** The refund under one policy. */
export interface RefundQuote {
  readonly policy: string;
  readonly currency: string;
  readonly amount: string;
  readonly lines: readonly { readonly line: string; readonly quantity: number; readonly amount: string }[];
}
