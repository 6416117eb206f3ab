// The shapes that the component's modules pass to each other. Browsers do not load this file.

import type { Problem } from "../bundle-builder.js";
import type { Client, EmbedBundle, ServiceError, ShopperSelection } from "../client/client.js";
import type { Slot } from "./slot.js";

export type Product = EmbedBundle["products"][number];
export type Variant = Product["variants"][number];
export type Plan = NonNullable<EmbedBundle["sellingPlans"]>[number];

/** Texts and numbers in the visitor's language. */
export interface Words {
  /** The text of this key with its places filled in; "" for a key without a text. */
  readonly say: (key: string, places?: Readonly<Record<string, unknown>>) => string;
  readonly number: (amount: string | number) => string;
  readonly anyOf: (items: string[]) => string;
  readonly failed: (problem: Pick<Problem, "code" | "status">) => string;
}

/** What a session asks of the element. */
export interface Host {
  /** Returns false when a listener cancelled the event. */
  readonly emit: (name: string, detail: unknown) => boolean;
  readonly report: (error: unknown) => Problem;
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

/** A unit that is chosen, with the answers of its fields by their keys. */
export interface Unit {
  readonly slot: Slot;
  variant: Variant;
  readonly answers: Record<string, string | boolean | undefined>;
}

/** A fault of a selection, as the service or the local evaluation reports it. */
// biome-ignore lint/suspicious/noExplicitAny: each code has its own fields, which are read once it is known
export type Failure = { readonly path: string; readonly code: string } & Readonly<Record<string, any>>;

/** A service's refusal of what a copy of the bundle allows. */
export type Refusal = ServiceError;
