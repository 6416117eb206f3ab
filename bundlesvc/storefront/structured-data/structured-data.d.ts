// Structured data of schema.org, from which search engines show a bundle's price and availability.

import type { BundleSummary, EmbedBundle, Product, Variant } from "../client/client.js";

export interface BundleDataOptions {
  /** The absolute address of the page. */
  readonly url: string;
  /** The lowest price of the bundle: `fromPrice` of `listBundles({ include: "offer" })`. Default: null, unknown. */
  readonly fromPrice?: string | null | undefined;
  /** The currency of `fromPrice` (ISO 4217), if it is not the shop's. */
  readonly currency?: string | undefined;
  /** The country that the bundle was fetched for. */
  readonly countryCode?: string | null | undefined;
  /** The base of image addresses that begin with `/`: the `baseUrl` of the client. Default: `url`. */
  readonly baseUrl?: string | undefined;
}

type Availability = "https://schema.org/InStock" | "https://schema.org/OutOfStock";

interface OfferTerms {
  readonly priceCurrency: string;
  readonly availability: Availability;
}

/** A product of a bundle. `offers` is missing when nothing of it is on sale any more. */
export interface PartData {
  readonly "@type": "Product";
  readonly "@id": string;
  readonly productID: string;
  readonly sku?: string;
  readonly name: string;
  readonly image?: string;
  readonly offers?:
    | (OfferTerms & { readonly "@type": "Offer"; readonly price: string })
    | (OfferTerms & {
        readonly "@type": "AggregateOffer";
        readonly lowPrice: string;
        readonly highPrice: string;
        readonly offerCount: number;
      });
}

/** A Product of schema.org. */
export interface BundleData {
  readonly "@context": "https://schema.org";
  readonly "@type": "Product";
  readonly "@id": string;
  readonly productID: string;
  readonly name: string;
  readonly description?: string;
  readonly image?: string;
  readonly url: string;
  readonly offers: {
    readonly "@type": "AggregateOffer";
    readonly url: string;
    readonly priceCurrency: string;
    /** Missing when it is unknown. */
    readonly lowPrice?: string;
    /** Missing when it is unknown whether the bundle can be bought. */
    readonly availability?: Availability;
    readonly eligibleRegion?: string;
    readonly seller: { readonly "@type": "Organization"; readonly name: string };
    /** The required products. */
    readonly includesObject?: readonly {
      readonly "@type": "TypeAndQuantityNode";
      readonly amountOfThisGood: number;
      readonly typeOfGood: { readonly "@id": string };
    }[];
  };
  /** The products that shoppers choose from, and those that every selection contains. */
  readonly isRelatedTo: readonly PartData[];
}

/** An ItemList of schema.org. */
export interface BundleListData {
  readonly "@context": "https://schema.org";
  readonly "@type": "ItemList";
  readonly numberOfItems: number;
  readonly itemListElement: readonly {
    readonly "@type": "ListItem";
    readonly position: number;
    readonly name: string;
    readonly url: string;
  }[];
}

/** A product of a bundle with the variants that the bundle allows. */
export interface Offered {
  readonly product: Product;
  readonly variants: readonly Variant[];
}

/** The data for a bundle's page: the bundle with its from-price and its products. */
export declare function bundleData(bundle: EmbedBundle, options: BundleDataOptions): BundleData;

/** The data for a page that lists bundles. `addressOf` returns the absolute address of a bundle's page. */
export declare function listData<Summary extends Pick<BundleSummary, "id" | "name">>(
  bundles: readonly Summary[],
  addressOf: (bundle: Summary) => string,
): BundleListData;

/** The text for a `<script type="application/ld+json">`: JSON that cannot end the element, whatever it contains. */
export declare function dataText(data: BundleData | BundleListData): string;
