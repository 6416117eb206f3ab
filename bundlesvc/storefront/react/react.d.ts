// React hooks for a design of your own, and the web component as a React component. For React 19.

import type { HTMLAttributes, ReactElement, ReactNode, Ref } from "react";

import type {
  Amount,
  BundleAddToCart,
  BundleBuilder as BundleBuilderElement,
  BundleChange,
  BundleChanges,
  BundleError,
  BundleReady,
  BundleUpdate,
} from "../bundle-builder.js";
import type { Configured } from "../cart/cart.js";
import type {
  configureForCountry,
  BundleName,
  Client,
  CompleteBody,
  Completion,
  CountryChange,
  CountryChangeOptions,
  Detail,
  EmbedBundle,
  EmbedBundleSettings,
  Evaluation,
  MarkedItem,
  NetworkError,
  SelectedItem,
  ServiceError,
  ShopperSelection,
  Solution,
  SubscriptionChoice,
} from "../client/client.js";

export type { Amount, BundleBuilderElement, BundleChanges, Configured };

// The web component

/** Names the bundle: give `bundleId`, `productHandle`, or `configured`. With an id and a handle, the id wins. */
export type BundleBuilderName =
  | { bundleId: number | string; productHandle?: string | undefined; configured?: string | undefined }
  | { bundleId?: number | string | undefined; productHandle: string; configured?: string | undefined }
  | { bundleId?: number | string | undefined; productHandle?: string | undefined; configured: string };

/** `configured` is a configured bundle to edit: `_bundle_data` of a cart line. */
export type BundleBuilderProps = BundleBuilderName & BundleBuilderSettings;

export interface BundleBuilderSettings extends Omit<HTMLAttributes<BundleBuilderElement>, "onChange" | "onError"> {
  /** A page key. */
  apiKey: string;
  /** Ends in /api/headless/v1. Default: this path on the page's own origin. */
  baseUrl?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  template?: "default" | "compact" | undefined;
  /** Assistants in the browser get no tools. */
  tools?: "off" | undefined;
  /** The visitor of an A/B test, a UUID. */
  visitorId?: string | undefined;
  /** The component opens with this selection, and again whenever it is another object. Null clears what is chosen. */
  selection?: ShopperSelection | null | undefined;
  /** The lines of the cart, whose bundles follow `country`: see `onMoved`. Keep the array until the cart changes. */
  cartItems?: readonly MarkedItem[] | null | undefined;
  onReady?: ((event: CustomEvent<BundleReady>) => void) | undefined;
  onChange?: ((event: CustomEvent<BundleChange>) => void) | undefined;
  /** Put `event.detail` into the cart: it is what the adapters of `@bundlesvc/storefront/cart` take. Can be cancelled. */
  onAddToCart?: ((event: CustomEvent<BundleAddToCart>) => void) | undefined;
  /** The service refused what the page's copy of the bundle allows: it was fetched again, and the shopper sees what changed. */
  onUpdate?: ((event: CustomEvent<BundleUpdate>) => void) | undefined;
  onError?: ((event: CustomEvent<BundleError>) => void) | undefined;
  /** Bundles of `cartItems` for another country: replace `moved` in the cart, and tell the shopper why `kept` stays. */
  onMoved?: ((event: CustomEvent<CountryChange>) => void) | undefined;
  ref?: Ref<BundleBuilderElement> | undefined;
}

/** The element `<bundle-builder>`. Its module is loaded in the browser, after the first rendering. */
export declare function BundleBuilder(props: BundleBuilderProps): ReactElement;

/** Attributes of the element itself, for those who write `<bundle-builder>` in JSX and import the component's module. */
export interface BundleBuilderAttributes extends HTMLAttributes<BundleBuilderElement> {
  "bundle-id"?: number | string | undefined;
  "product-handle"?: string | undefined;
  "api-key"?: string | undefined;
  "base-url"?: string | undefined;
  country?: string | undefined;
  template?: "default" | "compact" | undefined;
  tools?: "off" | undefined;
  "visitor-id"?: string | undefined;
  configured?: string | undefined;
  "onbundle:ready"?: ((event: CustomEvent<BundleReady>) => void) | undefined;
  "onbundle:change"?: ((event: CustomEvent<BundleChange>) => void) | undefined;
  "onbundle:addtocart"?: ((event: CustomEvent<BundleAddToCart>) => void) | undefined;
  "onbundle:update"?: ((event: CustomEvent<BundleUpdate>) => void) | undefined;
  "onbundle:error"?: ((event: CustomEvent<BundleError>) => void) | undefined;
  "onbundle:moved"?: ((event: CustomEvent<CountryChange>) => void) | undefined;
  children?: ReactNode;
  key?: string | number | null | undefined;
  ref?: Ref<BundleBuilderElement> | undefined;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "bundle-builder": BundleBuilderAttributes;
    }
  }
}

// Hooks

/**
 * Configures the native bundles of a cart again that are not for `countryCode` (null: none), when the page opens and whenever
 * the country or the items change. `onMoved` gets what to replace in the cart; it is not called when nothing is to do.
 */
export declare function useCartCountry(
  client: Parameters<typeof configureForCountry>[0],
  items: readonly MarkedItem[],
  countryCode: string | null,
  onMoved: (change: CountryChange) => void,
  options?: Omit<CountryChangeOptions, "signal">,
): void;

/** Requests abort by themselves, so there is no `signal`. */
export type BundleRequest = BundleName & Omit<EmbedBundleSettings, "signal" | "fresh">;

export interface BundleState {
  /** The last bundle that was fetched, also while another is loading; null before the first. */
  readonly bundle: EmbedBundle | null;
  /** Why it could not be fetched; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
  readonly isLoading: boolean;
  /** Fetches again, past the copies of browser, CDN and service. */
  reload(): void;
}

/**
 * Fetches a bundle, and again when the request changes. While the service is too busy (429, 503), it tries again by itself up to
 * three times, when `Retry-After` says so, if that is within two minutes. Make the client outside of the component, or memoise it.
 *
 * `initial`: the bundle as a server fetched it for the first rendering; it is not fetched again for the same request.
 */
export declare function useBundle(
  client: Pick<Client, "embed">,
  request: BundleRequest,
  options?: { readonly initial?: EmbedBundle | null | undefined },
): BundleState;

/** A unit of a variant: `section` is the section's id, or 0 for a required product. */
export type Choice = Pick<SelectedItem, "variant" | "product" | "section">;

export interface SelectionOptions {
  /** The country that the bundle was fetched for. */
  readonly countryCode?: string | null | undefined;
  /** The visitor of an A/B test, a UUID. */
  readonly visitorId?: string | undefined;
  /** The selection to begin with, such as one to edit. Default: the required products, and the subscription where it is required. */
  readonly initial?: ShopperSelection | undefined;
  /**
   * Called when the service refuses what this copy of the bundle allows. Give `reload` of `useBundle`: what is not offered any
   * more then leaves the selection, and `update` says what changed.
   */
  readonly onOutdated?: (() => void) | undefined;
}

/** What has changed, and the refusal that showed it. */
export interface SelectionUpdate extends BundleChanges {
  readonly error: ServiceError;
}

export interface SelectionState {
  /** What is chosen, with free items that no section offers: those are added and removed by themselves. */
  readonly selection: ShopperSelection;
  /** Price, conditions, next tier, fees; null until there is a bundle. */
  readonly evaluation: Evaluation | null;
  /** Why the selection cannot be bought: what the client finds after each change, and what the service last found. */
  readonly faults: readonly Detail[];
  /** Whether `configure` is under way. */
  readonly isBusy: boolean;
  /** Why the last `configure` failed; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
  /** After a refusal that this copy of the bundle did not foresee, until the next choice; null otherwise. */
  readonly update: SelectionUpdate | null;
  /** The chosen number of units. */
  count(choice: Choice): number;
  /** Adds a unit, which may have `personalisation`. */
  add(item: SelectedItem): void;
  /** Removes the last unit of this kind. */
  remove(choice: Choice): void;
  /** Chooses an option of `sellingPlans`, with the e-mail address; null for a single delivery. */
  subscribe(subscription: SubscriptionChoice | null): void;
  setSelection(selection: ShopperSelection | ((before: ShopperSelection) => ShopperSelection)): void;
  /** Clears the selection. */
  reset(): void;
  /**
   * Configures the selection at the price of `evaluation`, in the market's currency if it has one: the argument of the cart
   * adapters. Null when there are `faults`, when it fails (see `error`),
   * and while it is under way. Calling it again after a failure configures no second bundle.
   */
  configure(): Promise<Configured | null>;
  /** Configures the selection at the new price of `update`, which the shopper has agreed to. Null as `configure`, and without one. */
  confirm(): Promise<Configured | null>;
}

/** A shopper's selection, evaluated locally after each change. */
export declare function useSelection(
  client: Pick<Client, "embed">,
  bundle: EmbedBundle | null,
  options?: SelectionOptions,
): SelectionState;

/** What a shopper wishes of a completion: `aim`, `budget` in the shop's currency, ids of products to `prefer` or to `avoid`. */
export type Wishes = Pick<CompleteBody, "aim" | "avoid" | "budget" | "prefer">;

export interface CompletionState {
  /**
   * Has the service complete the selection, and replaces it by the best solution, which it returns. Null when there is none, when it
   * fails, while another is under way, and when the shopper has chosen something else meanwhile.
   */
  complete(wishes?: Wishes): Promise<Solution | null>;
  /** Takes the completion back; null when there is nothing to take back, also after the next choice. */
  readonly undo: (() => void) | null;
  readonly isBusy: boolean;
  /** The last response, until the next choice: without solutions, `impossible` says why. Null otherwise. */
  readonly completion: Completion | null;
  /** Why it failed; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
}

/** "Finish my box": completes the selection of `useSelection`. */
export declare function useCompletion(
  client: { readonly embed: Pick<Client["embed"], "complete"> },
  bundle: EmbedBundle | null,
  selection: Pick<SelectionState, "selection" | "setSelection">,
  options?: { readonly countryCode?: string | null | undefined },
): CompletionState;
