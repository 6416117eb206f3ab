// React hooks for your own design, and the web component as a React component. For React 19.

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

/**
 * Identifies the bundle: set `bundleId`, `productHandle`, or `configured`. If id and handle are both set, the id takes
 * precedence.
 */
export type BundleBuilderName =
  | { bundleId: number | string; productHandle?: string | undefined; configured?: string | undefined }
  | { bundleId?: number | string | undefined; productHandle: string; configured?: string | undefined }
  | { bundleId?: number | string | undefined; productHandle?: string | undefined; configured: string };

/** `configured` identifies a configured bundle to edit: `_bundle_data` of a cart line. */
export type BundleBuilderProps = BundleBuilderName & BundleBuilderSettings;

export interface BundleBuilderSettings extends Omit<HTMLAttributes<BundleBuilderElement>, "onChange" | "onError"> {
  /** A key for pages. */
  apiKey: string;
  /** The base URL of the API, which ends in /api/headless/v1. Default: this path on the page's own origin. */
  baseUrl?: string | undefined;
  /** A country (ISO 3166-1 alpha-2). */
  country?: string | undefined;
  template?: "default" | "compact" | undefined;
  /** "off": assistants in the browser get no tools. */
  tools?: "off" | undefined;
  /** The visitor of an A/B test, a UUID. */
  visitorId?: string | undefined;
  /**
   * The component opens with this selection, and opens it again whenever the prop is a different object. Null clears the
   * selection.
   */
  selection?: ShopperSelection | null | undefined;
  /** The lines of the cart, whose bundles follow `country`: see `onMoved`. Pass the same array until the cart changes. */
  cartItems?: readonly MarkedItem[] | null | undefined;
  onReady?: ((event: CustomEvent<BundleReady>) => void) | undefined;
  onChange?: ((event: CustomEvent<BundleChange>) => void) | undefined;
  /** Put `event.detail` into the cart: the adapters of `@bundlesvc/storefront/cart` accept it. Can be cancelled. */
  onAddToCart?: ((event: CustomEvent<BundleAddToCart>) => void) | undefined;
  /**
   * The service refused a selection that the page's copy of the bundle allows. The bundle was fetched again, and the shopper sees
   * what has changed.
   */
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
 * Configures the native bundles of a cart again that are not for `countryCode` (null: none), when the page opens and whenever the
 * country or the items change. `onMoved` receives the bundles to replace in the cart; it is not called when there is nothing to
 * do.
 */
export declare function useCartCountry(
  client: Parameters<typeof configureForCountry>[0],
  items: readonly MarkedItem[],
  countryCode: string | null,
  onMoved: (change: CountryChange) => void,
  options?: Omit<CountryChangeOptions, "signal">,
): void;

/** Requests are aborted automatically, so there is no `signal`. */
export type BundleRequest = BundleName & Omit<EmbedBundleSettings, "signal" | "fresh">;

export interface BundleState {
  /** The last bundle that was fetched, even while another is loading; null before the first. */
  readonly bundle: EmbedBundle | null;
  /** The reason why the bundle could not be fetched; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
  readonly isLoading: boolean;
  /** Fetches the bundle again, past the caches of browser, CDN and service. */
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
  /** The initial selection, such as one to edit. Default: the required products, and the subscription if it is required. */
  readonly initial?: ShopperSelection | undefined;
  /**
   * Called when the service refuses something that this copy of the bundle allows. Pass `reload` of `useBundle`: items that are
   * no longer offered then leave the selection, and `update` says what has changed.
   */
  readonly onOutdated?: (() => void) | undefined;
}

/** The changes, and the refusal that revealed them. */
export interface SelectionUpdate extends BundleChanges {
  readonly error: ServiceError;
}

export interface SelectionState {
  /** The selection, including free items that no section offers: those are added and removed automatically. */
  readonly selection: ShopperSelection;
  /** Price, conditions, next tier and fees; null until there is a bundle. */
  readonly evaluation: Evaluation | null;
  /**
   * The reasons why the selection cannot be bought: those that the client finds after each change, and those that the service
   * found last.
   */
  readonly faults: readonly Detail[];
  /** Whether `configure` is running. */
  readonly isBusy: boolean;
  /** The reason why the last `configure` failed; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
  /** Set after a refusal that this copy of the bundle did not foresee, until the next choice; otherwise null. */
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
   * Configures the selection at the price of `evaluation`, in the market's currency if it has one. Returns the argument for the
   * cart adapters. Null when there are `faults`, when it fails (see `error`), and while it is already running. Calling it again
   * after a failure does not configure a second bundle.
   */
  configure(): Promise<Configured | null>;
  /**
   * Configures the selection at the new price of `update`, which the shopper has accepted. Null in the same cases as `configure`,
   * and without a new price.
   */
  confirm(): Promise<Configured | null>;
}

/** A shopper's selection, evaluated locally after each change. */
export declare function useSelection(
  client: Pick<Client, "embed">,
  bundle: EmbedBundle | null,
  options?: SelectionOptions,
): SelectionState;

/** A shopper's wishes for a completion: `aim`, `budget` in the shop's currency, and ids of products to `prefer` or to `avoid`. */
export type Wishes = Pick<CompleteBody, "aim" | "avoid" | "budget" | "prefer">;

export interface CompletionState {
  /**
   * Asks the service to complete the selection, replaces it with the best solution, and returns that. Null when there is none,
   * when it fails, while another call is running, and when the shopper has changed the selection in the meantime.
   */
  complete(wishes?: Wishes): Promise<Solution | null>;
  /** Undoes the completion; null when there is nothing to undo, and after the next choice. */
  readonly undo: (() => void) | null;
  readonly isBusy: boolean;
  /** The last response, until the next choice: without solutions, `impossible` contains the reasons. Null otherwise. */
  readonly completion: Completion | null;
  /** The reason why it failed; null otherwise. */
  readonly error: ServiceError | NetworkError | null;
}

/** "Finish my box": completes the selection of `useSelection`. */
export declare function useCompletion(
  client: { readonly embed: Pick<Client["embed"], "complete"> },
  bundle: EmbedBundle | null,
  selection: Pick<SelectionState, "selection" | "setSelection">,
  options?: { readonly countryCode?: string | null | undefined },
): CompletionState;
