import { type Amount, decimalsOf, HUNDRED, LARGEST, parseAmount, unitOf } from "./amounts";
import { parseId, type PromisedUnits } from "./units";

/** The price that was promised in a market. Without a country it is in the shop's own currency, and not valid in the excluded countries. */
export interface MarketPromise {
  readonly country: string | null;
  readonly excluded: ReadonlySet<string>;
  readonly currency: string;
  readonly original: Amount;
  readonly discounted: Amount;
}

/** What the service promised: the claims of a discount string, version 3 (docs/discount-string.md of the service). */
export interface Claims {
  readonly shop: string;
  readonly bundle: number;
  readonly configured: number;
  readonly parent: number | null;
  readonly market: MarketPromise;
  /** The percentage that may be taken off whatever the lines cost; null when the promise depends on the market's prices. */
  readonly anywhere: Amount | null;
  readonly variants: PromisedUnits;
  readonly fees: PromisedUnits;
  /** The reduction by the shopper's subscription, in percent; 0 without one. */
  readonly subscription: Amount;
  readonly unique: string;
  readonly test: boolean;
  /** The time of the promise, in seconds since 1970. */
  readonly madeAt: number;
}

/** Version 2 is older than the support for this platform, so none of its orders contains such a discount string. */
const VERSION = 3;
const MOST_UNITS = 1_000_000;

class Malformed extends Error {}

/** Reads the claims in the content of a discount string; null when their version is unknown, or a claim is missing or malformed. */
export function readClaims(content: string): Claims | null {
  try {
    return claimsIn(object(JSON.parse(content)));
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return null;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function claimsIn(fields: Fields): Claims {
  if (fields.v !== VERSION) throw new Malformed();
  checkHomePrice(fields);
  const value = amount(fields.value);
  return {
    shop: text(fields.shop),
    bundle: integer(fields.bundle),
    configured: integer(fields.configured),
    parent: fields.parent === null ? null : integer(fields.parent),
    market: market(object(fields.market)),
    anywhere: flag(fields.anywhere) ? percentage(value) : null,
    variants: units(fields.variants),
    fees: units(fields.fees),
    subscription: fields.subscription == null ? 0n : percentage(amount(object(fields.subscription).percentage)),
    unique: text(fields.unique),
    test: flag(fields.test),
    madeAt: integer(fields.iat),
  };
}

/** The price in the shop's currency must be well-formed, although only the price in the market is compared. */
function checkHomePrice({ original, discounted, currency }: Fields): void {
  [original, discounted].forEach(amount);
  text(currency);
}

function market(fields: Fields): MarketPromise {
  const currency = text(fields.currency);
  const excluded = fields.except === undefined ? [] : fields.except;
  if (!Array.isArray(excluded)) throw new Malformed();
  return {
    country: fields.country === null ? null : text(fields.country),
    excluded: new Set(excluded.map(text)),
    currency,
    original: minorUnits(fields.original, currency),
    discounted: minorUnits(fields.discounted, currency),
  };
}

function minorUnits(value: unknown, currency: string): Amount {
  const found = BigInt(integer(value)) * unitOf(decimalsOf(currency));
  if (found < 0n || found > LARGEST) throw new Malformed();
  return found;
}

function units(value: unknown): PromisedUnits {
  if (typeof value === "string") return value;
  const counts = new Map<number, number>();
  for (const [id, count] of Object.entries(object(value))) {
    const variant = parseId(id);
    const number = integer(count);
    if (variant === null || number < 1 || number > MOST_UNITS) throw new Malformed();
    counts.set(variant, number);
  }
  return counts;
}

function percentage(value: Amount): Amount {
  if (value > HUNDRED) throw new Malformed();
  return value;
}

function amount(value: unknown): Amount {
  const found = parseAmount(text(value));
  if (found === null) throw new Malformed();
  return found;
}

function object(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed();
  return value as Fields;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Malformed();
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== "boolean") throw new Malformed();
  return value;
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Malformed();
  return value as number;
}
