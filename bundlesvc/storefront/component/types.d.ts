// Types of the values that the component's modules pass to each other. Browsers do not load this file.

import type { BundleChanges, BundleError, Problem } from "../bundle-builder.js";
import type {
  Client,
  Detail,
  EmbedBundle,
  Evaluation,
  FreeItemAction,
  PersonalisationField,
  Presentment,
  Section,
  SelectedItem,
  ServiceError,
  ShopperSelection,
  ShownPrice,
} from "../client/client.js";
import type { Offer } from "./selection/offer.js";
import type { Slot } from "./selection/slot.js";

export type Product = EmbedBundle["products"][number];
export type Variant = Product["variants"][number];
export type Plan = NonNullable<EmbedBundle["sellingPlans"]>[number];

/** Texts and numbers in the visitor's language. */
export interface Words {
  /** The text for a key, with its placeholders filled in; "" for a key without a text. */
  readonly say: (key: string, places?: Readonly<Record<string, unknown>> | Location) => string;
  readonly number: (amount: string | number) => string;
  readonly anyOf: (items: string[]) => string;
  readonly failed: (problem: Pick<Problem, "code" | "status">) => string;
}

/** The details of the element's events, by name. */
export type EventDetails = {
  [Name in keyof GlobalEventHandlersEventMap as Name extends `bundle:${string}`
    ? Name
    : never]: GlobalEventHandlersEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never;
};
/** Dispatches an event of the element. Returns false when a listener cancelled it. */
export type Emit = <Name extends keyof EventDetails>(name: Name, detail: EventDetails[Name]) => boolean;

/** The errors with which calls of the client reject, and those for a page that is set up incorrectly. */
export type Thrown = BundleError["error"];

/** The functions of the element that a session uses. */
export interface Host {
  readonly emit: Emit;
  readonly report: (error: Thrown) => Problem;
  /** Makes screen readers announce a text. */
  readonly announce: (text: string) => void;
  readonly reload: () => void;
}

/** The selection that a page wants to open. `isLost`: the configured bundle that should have provided it no longer exists. */
export type Wanted = ShopperSelection & { readonly isLost?: boolean };

/** The data that the element has fetched for a session. */
export interface Read extends Words {
  readonly bundle: EmbedBundle;
  readonly client: Client;
  readonly baseUrl: string;
  readonly country: string | undefined;
  readonly visitorId: string | undefined;
  readonly wanted: Wanted | null;
}

/** Returns the personalisation fields for the product of a slot. */
export type FieldsOf = (slot: Slot) => readonly PersonalisationField[];

/** A chosen unit, with its answers by the keys of their fields. */
export interface Unit {
  readonly slot: Slot;
  variant: Variant;
  readonly answers: Record<string, string | boolean>;
  readonly quantity?: undefined;
}

/** A free item: its node, its product and variant if the bundle contains them, and whether a section offers it. */
export interface Gift extends FreeItemAction {
  readonly product?: Product;
  readonly variant?: Variant;
  readonly isOffered: boolean;
}

/** A free item that the conditions grant and that is on sale. */
export interface GrantedGift extends Gift {
  readonly product: Product;
  readonly variant: Variant;
  readonly slot?: undefined;
}

/** A row of the summary. */
export type Row = Unit | GrantedGift;

/** A section with its products that are on sale. Its heading exists once it is drawn. */
export type OfferedSection = Section & { readonly slots: readonly Slot[]; heading?: HTMLElement };

/** A copy of the bundle, and the shopper's selection from it. */
export interface Copy {
  readonly bundle: EmbedBundle;
  readonly offer: Offer;
  readonly items: readonly SelectedItem[];
  readonly selection: ShopperSelection;
  readonly presentment: Presentment | null;
}

/** The changes of the bundle, and the faults of the selection that the service has found. */
export interface Changes extends BundleChanges {
  readonly details: readonly Detail[];
}

/** A selection to configure. `price` is the price that the shopper has seen. */
export interface Chosen {
  readonly bundle: EmbedBundle;
  readonly selection: ShopperSelection;
  readonly evaluation: Evaluation;
  readonly price: ShownPrice | null;
  readonly country: string | null | undefined;
  readonly visitorId: string | undefined;
}

/** A fault of a selection, as reported by the service or the local evaluation; without a message, the component found it. */
export type Failure =
  | Detail
  | { readonly path: "subscription.email"; readonly code: "invalid_email"; readonly message?: undefined };

/** A limit that is not met. */
export type LimitFailure = Extract<Failure, { readonly code: "limit_not_met" }>;

/** A service's refusal of what a copy of the bundle allows. */
export type Refusal = ServiceError;

/** What has changed while a shopper was choosing. There are no sentences when the reasons next to the button are sufficient. */
export interface News {
  readonly changes: Changes;
  readonly sentences: readonly string[];
}

/** The view of the sections, and functions that follow the selection, open a step, and reveal an element in a step. */
export interface Sections {
  readonly node: HTMLElement;
  readonly open: (id?: number) => void;
  readonly follow: () => void;
  readonly reveal: (part: Element | null) => void;
  readonly current: () => OfferedSection | undefined;
}

// dom.js

type ElementNamed<Name extends string> = Name extends keyof HTMLElementTagNameMap
  ? HTMLElementTagNameMap[Name]
  : HTMLElement;
/** The type of the element for a tag such as "p.hint". */
export type ElementOf<Tag extends string> = Tag extends `${infer Name}.${string}`
  ? ElementNamed<Name>
  : ElementNamed<Tag>;

/** An event of an element, which is its target. */
export type On<Target extends Element, Given extends Event = Event> = Given & { readonly target: Target };

type Handlers<Target extends Element> = {
  readonly [Name in keyof GlobalEventHandlersEventMap as `on${Name}`]?: {
    handle(event: On<Target, GlobalEventHandlersEventMap[Name]>): unknown;
  }["handle"];
};

/** The value of an attribute or a property. Null, undefined and false remove an attribute. */
export type Value = string | number | boolean | null | undefined;
/** A value, or a function that returns it at every `refresh`. */
export type Live = Value | (() => Value);

type AttributeName =
  | "autocomplete"
  | "checked"
  | "disabled"
  | "hidden"
  | "id"
  | "inert"
  | "maxlength"
  | "name"
  | "novalidate"
  | "part"
  | "placeholder"
  | "required"
  | "role"
  | "tabindex"
  | "text"
  | "title"
  | "type"
  | "value"
  | "alt"
  | "decoding"
  | "loading"
  | "sizes"
  | "src"
  | "srcset";

/** The attributes, properties and handlers of an element; `text` is its text. */
export type Settings<Target extends Element = HTMLElement> = Handlers<Target> & {
  readonly [Name in AttributeName | `aria-${string}` | `data-${string}`]?: Live;
};

/** A child of an element. Falsy values are left out. */
export type Child = Node | string | number | false | null | undefined;

/** The element while it shows what a server has drawn, with the recorded clicks. */
export interface Drawn extends HTMLElement {
  clicks?: Element[];
}

// page-tools.js

/** A tool as listed by the service's `tools/list`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: object;
}

/** The result of a tool. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent: { readonly replayed: boolean; readonly handOverUrl: string | null };
}

/** The browser's registry of tools, for which TypeScript has no types yet (https://webmachinelearning.github.io/webmcp/). */
export interface ModelContext {
  readonly registerTool: (
    tool: ToolDefinition & { readonly execute: (given: object) => Promise<unknown> },
    options: { readonly signal: AbortSignal },
  ) => Promise<void> | void;
}
