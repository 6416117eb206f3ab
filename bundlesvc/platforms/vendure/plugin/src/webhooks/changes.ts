import type { ID } from "@vendure/core";

/**
 * The ids of what has changed. `stock` contains variants whose stock changed, `variants` those with any other change. Mutable, because the
 * types of the queue require it.
 */
export interface Changes {
  products: string[];
  variants: string[];
  stock: string[];
  orders: string[];
  /** Whether channels changed. */
  shop: boolean;
}

const LISTS = ["products", "variants", "stock", "orders"] as const;
export type Kind = (typeof LISTS)[number];

/** The most ids in one job: MySQL stores up to 64 kB per job. */
const MOST_IDS = 1000;

/** Collected changes, each once. */
export class Collected {
  private readonly ids: Record<Kind, Set<string>> = {
    products: new Set(),
    variants: new Set(),
    stock: new Set(),
    orders: new Set(),
  };
  private shop = false;

  add(kind: Kind, ids: Iterable<ID>): void {
    for (const id of ids) this.ids[kind].add(String(id));
  }

  addShop(): void {
    this.shop = true;
  }

  /** Removes all collected changes, and returns them in parts that fit into a job. */
  take(): Changes[] {
    const parts: Changes[] = [];
    for (let begin = 0; this.has(begin); begin += MOST_IDS) {
      const part = Object.fromEntries(
        LISTS.map((kind) => [kind, [...this.ids[kind]].slice(begin, begin + MOST_IDS)]),
      ) as Record<Kind, string[]>;
      parts.push({ ...part, shop: this.shop && begin === 0 });
    }
    for (const kind of LISTS) this.ids[kind].clear();
    this.shop = false;
    return parts;
  }

  private has(begin: number): boolean {
    return (this.shop && begin === 0) || LISTS.some((kind) => this.ids[kind].size > begin);
  }
}
