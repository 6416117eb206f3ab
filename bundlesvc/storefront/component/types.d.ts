// The shapes that the component's modules pass to each other. Browsers do not load this file.

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
import type { Offer } from "./offer.js";
import type { Slot } from "./slot.js";

export type Product = EmbedBundle["products"][number];
export type Variant = Product["variants"][number];
export type Plan = NonNullable<EmbedBundle["sellingPlans"]>[number];

/** Texts and numbers in the visitor's language. */
export interface Words {
  /** The text of this key with its places filled in; "" for a key without a text. */
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
/** Sends an event of the element. Returns false when a listener cancelled it. */
export type Emit = <Name extends keyof EventDetails>(name: Name, detail: EventDetails[Name]) => boolean;

/** What a call of the client rejects with, or what the page has set up wrongly. */
export type Thrown = BundleError["error"];

/** What a session asks of the element. */
export interface Host {
  readonly emit: Emit;
  readonly report: (error: Thrown) => Problem;
  /** Has a screen reader say a text. */
  readonly announce: (text: string) => void;
  readonly reload: () => void;
}

/** The selection that a page wants to open; `isLost` when the configured bundle it was to come from is gone. */
export type Wanted = ShopperSelection & { readonly isLost?: boolean };

/** What the element has read for a session. */
export interface Read extends Words {
  readonly bundle: EmbedBundle;
  readonly client: Client;
  readonly baseUrl: string;
  readonly country: string | undefined;
  readonly visitorId: string | undefined;
  readonly wanted: Wanted | null;
}

/** The fields to personalise the product of a slot with. */
export type FieldsOf = (slot: Slot) => readonly PersonalisationField[];

/** A unit that is chosen, with the answers of its fields by their keys. */
export interface Unit {
  readonly slot: Slot;
  variant: Variant;
  readonly answers: Record<string, string | boolean>;
  readonly quantity?: undefined;
}

/** A free item: its node, with product and variant if the bundle has them, and whether a section offers it. */
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

/** A copy of the bundle with what the shopper has chosen in it. */
export interface Copy {
  readonly bundle: EmbedBundle;
  readonly offer: Offer;
  readonly items: readonly SelectedItem[];
  readonly selection: ShopperSelection;
  readonly presentment: Presentment | null;
}

/** What has changed, with the faults of what is chosen that the service has found. */
export interface Changes extends BundleChanges {
  readonly details: readonly Detail[];
}

/** A selection to configure. `price` is what the shopper has seen. */
export interface Chosen {
  readonly bundle: EmbedBundle;
  readonly selection: ShopperSelection;
  readonly evaluation: Evaluation;
  readonly price: ShownPrice | null;
  readonly country: string | null | undefined;
  readonly visitorId: string | undefined;
}

/** A fault of a selection, as the service or the local evaluation reports it; without a message, the component found it. */
export type Failure =
  | Detail
  | { readonly path: "subscription.email"; readonly code: "invalid_email"; readonly message?: undefined };

/** A limit that is not met. */
export type LimitFailure = Extract<Failure, { readonly code: "limit_not_met" }>;

/** A service's refusal of what a copy of the bundle allows. */
export type Refusal = ServiceError;

/** What has changed while a shopper was choosing; no sentences when the reasons next to the button say it all. */
export interface News {
  readonly changes: Changes;
  readonly sentences: readonly string[];
}

/** The view of the sections, and the functions that follow the selection, open a step and reveal what is in one. */
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
/** The element of a tag such as "p.hint". */
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

/** What an attribute or a property is set to. Null, undefined and false remove an attribute. */
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

/** A child of an element. What is falsy is left out. */
export type Child = Node | string | number | false | null | undefined;

/** The element while it shows what a server has drawn, with what was clicked in it. */
export interface Drawn extends HTMLElement {
  clicks?: Element[];
}

// page-tools.js

/** A tool as the service's `tools/list` has it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: object;
}

/** What a tool returns. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent: { readonly replayed: boolean; readonly handOverUrl: string | null };
}

/** The browser's place for tools, which TypeScript does not know yet (https://webmachinelearning.github.io/webmcp/). */
export interface ModelContext {
  readonly registerTool: (
    tool: ToolDefinition & { readonly execute: (given: object) => Promise<unknown> },
    options: { readonly signal: AbortSignal },
  ) => Promise<void> | void;
}
