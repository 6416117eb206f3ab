import { allocate } from "./allocation";
import { type Amount, decimalsOf, LARGEST, percentageOf, sum, unitOf } from "./amounts";
import { type Bundle, bundlesIn, type CartLine, unreadableLines } from "./bundles";
import { type Policy, refusalOf } from "./checks";
import { type Claims, type MarketPromise, readClaims } from "./claims";
import type { Countries } from "./countries";
import type { DiscountKeys } from "./discount-keys";
import type { Reason } from "./reasons";

/** An order, with the data that bundles need. */
export interface Cart {
  readonly lines: readonly CartLine[];
  readonly currency: string;
  /** The token of the order's channel. */
  readonly channel: string;
  /** The smallest amount that the platform can charge. */
  readonly unit: Amount;
  /** The current time, in seconds since 1970. */
  readonly now: number;
}

/** The outcome for one bundle: the discount of each of its lines, or the reason why there is none. */
export interface Outcome {
  readonly configured: number | null;
  readonly lines: readonly CartLine[];
  readonly fees: readonly CartLine[];
  readonly off: ReadonlyMap<string, Amount>;
  readonly reason: Reason | null;
  /** The market of the promise; null without a discount. */
  readonly market: MarketPromise | null;
}

const NOTHING: ReadonlyMap<string, Amount> = new Map();

/** Checks the bundles of orders against the service's promises. */
export class Promises {
  constructor(
    private readonly keys: DiscountKeys,
    private readonly policy: Policy,
    private readonly countries: Countries,
  ) {}

  /** The outcomes: those of unreadable lines first, then those of bundles in the order of their first lines. */
  judge(cart: Cart): Outcome[] {
    const unreadable = unreadableLines(cart.lines).map((line) => refused(null, [line], [], "line_unreadable"));
    return [...unreadable, ...bundlesIn(cart.lines).map((bundle) => this.judgeBundle(bundle, cart))];
  }

  private judgeBundle(bundle: Bundle, cart: Cart): Outcome {
    const { configured, lines, fees } = bundle;
    const claims = this.claimsOf(bundle);
    if (typeof claims === "string") return refused(configured, lines, fees, claims);
    const reason = refusalOf(claims, bundle, this.policy, cart.now);
    if (reason) return refused(configured, lines, fees, reason);
    const discounted = this.promisedAmount(claims, bundle, cart);
    if (typeof discounted === "string") return refused(configured, lines, fees, discounted);
    const off = sharesOf(bundle, amountOf(bundle) - discounted, cart);
    return { configured, lines, fees, off, reason: null, market: claims.market };
  }

  private claimsOf(bundle: Bundle): Claims | Reason {
    const discount = bundle.lines[0]?.discount ?? null;
    if (discount === null) return "entry_missing";
    const content = this.keys.open(discount);
    if (content === null) return "discount_broken";
    return readClaims(content) ?? "discount_unreadable";
  }

  /** The price of the lines after the discount, or the reason why the discount does not apply. */
  private promisedAmount(claims: Claims, bundle: Bundle, cart: Cart): Amount | Reason {
    const { market, anywhere } = claims;
    const found = amountOf(bundle);
    if (found > LARGEST) return "prices_changed";
    if (anywhere !== null) return atMost(found, found - percentageOf(found, anywhere, cart.currency));
    if (market.currency !== cart.currency || !this.countries.isMarket(market, cart.channel)) return "market_changed";
    return found === market.original ? atMost(found, market.discounted) : "prices_changed";
  }
}

function atMost(largest: Amount, amount: Amount): Amount {
  if (amount < 0n) return 0n;
  return amount < largest ? amount : largest;
}

/**
 * The discount of each line, in the currency's minor units if all prices are whole numbers of these. When the platform cannot charge the
 * promised amount exactly, the discount is smaller, by less than the platform's smallest amount.
 */
function sharesOf(bundle: Bundle, off: Amount, cart: Cart): ReadonlyMap<string, Amount> {
  const lines = bundle.lines.map((line) => ({ variant: line.variant, amount: costOf(line) }));
  const minor = unitOf(decimalsOf(cart.currency));
  const isWhole =
    minor >= cart.unit && [off, ...lines.map((line) => line.amount)].every((amount) => amount % minor === 0n);
  const shares = allocate(off, lines, isWhole ? minor : cart.unit);
  return new Map(bundle.lines.map((line, place) => [line.id, shares[place] ?? 0n]));
}

function costOf(line: CartLine): Amount {
  return line.unitPrice * BigInt(line.quantity);
}

function amountOf(bundle: Bundle): Amount {
  return sum(bundle.lines.map(costOf));
}

function refused(
  configured: number | null,
  lines: readonly CartLine[],
  fees: readonly CartLine[],
  reason: Reason,
): Outcome {
  return { configured, lines, fees, off: NOTHING, reason, market: null };
}
