import type { Order, OrderLine, Refund } from "@vendure/core";
import { fieldsOf } from "../orders/line-fields";
import { placedUnits } from "../orders/order-cart";
import type { Outcome } from "../promise/promise";
import { ChargedLine, type Round } from "./charged-line";
import { type Change, editsOf, refundsOf, type RefundOfUnits } from "./changes-since";

/** A placed order in the form in which the service accepts orders (docs/orders.md of the service). Amounts are decimal texts. */
export interface ProvenOrder {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly placedAt: string;
  readonly currency: string;
  readonly countryCode: string | null;
  readonly cancelled: boolean;
  /** The discount strings, in the form of the cart attribute `_bundles`. */
  readonly bundles: string;
  readonly lines: readonly ProvenLine[];
  readonly edits: readonly Change[];
  readonly refunds: readonly RefundOfUnits[];
}

interface ProvenLine {
  readonly id: string;
  readonly variant: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly tax: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly discounts: ReadonlyArray<{ readonly kind: string; readonly title: string; readonly amount: string }>;
}

/** The data needed to read an order. `ownSources`: the sources of adjustments that the plugin's promotion made. */
export interface Evidence {
  readonly version: number;
  readonly outcomes: readonly Outcome[];
  readonly refunds: readonly Refund[];
  readonly ownSources: ReadonlySet<string>;
  readonly decimals: number;
  readonly round: Round;
}

export function provenOrder(order: Order, evidence: Evidence): ProvenOrder {
  const money = (amount: number): string => (amount / 10 ** evidence.decimals).toFixed(evidence.decimals);
  const charged = order.lines
    .filter((line) => placedUnits(line) > 0)
    .sort((one, other) => Number(one.id) - Number(other.id))
    .map((line) => new ChargedLine(line, evidence.round));
  return {
    id: String(order.id),
    version: evidence.version,
    name: order.code,
    placedAt: (order.orderPlacedAt as Date).toISOString(),
    currency: order.currencyCode,
    countryCode: countryOf(order, evidence.outcomes),
    cancelled: order.state === "Cancelled",
    bundles: JSON.stringify(entriesOf(order.lines)),
    lines: charged.map((line) => provenLine(line, evidence.ownSources, money)),
    edits: editsOf(charged, evidence.refunds, money),
    refunds: refundsOf(charged, evidence.refunds, money),
  };
}

function provenLine(
  { line, units, tax }: ChargedLine,
  own: ReadonlySet<string>,
  money: (amount: number) => string,
): ProvenLine {
  const { bundleData, bundleFee } = fieldsOf(line);
  return {
    id: String(line.id),
    variant: String(line.productVariantId),
    quantity: units,
    unitPrice: money(Math.round(line.listPrice)),
    tax: money(tax(units)),
    properties: {
      ...(bundleData == null ? {} : { _bundle_data: bundleData }),
      ...(bundleFee == null ? {} : { _bundle_fee: bundleFee }),
    },
    discounts: line.adjustments.map(({ adjustmentSource, description, amount }) => ({
      kind: own.has(adjustmentSource) ? "bundle" : "promotion",
      title: description,
      amount: money(-amount),
    })),
  };
}

function entriesOf(lines: readonly OrderLine[]): Record<string, { discount: string | null; id: number | null }> {
  const entries: Record<string, { discount: string | null; id: number | null }> = {};
  for (const line of lines) {
    const { bundleData, bundleFee, bundleDiscount, bundleId } = fieldsOf(line);
    const configured = bundleData?.split("#")[0];
    if (configured && bundleFee == null)
      entries[configured] ??= { discount: bundleDiscount ?? null, id: bundleId ?? null };
  }
  return entries;
}

/** The country of the promises that an order kept; if there is none, that of the shipping address. */
function countryOf(order: Order, outcomes: readonly Outcome[]): string | null {
  const shipping = order.shippingAddress?.countryCode || null;
  const kept = outcomes.flatMap(({ market, reason }) => (market && reason === null ? [market] : []));
  const country = kept.find((market) => market.country !== null)?.country;
  if (country) return country;
  return shipping && kept.some(({ excluded }) => excluded.has(shipping)) ? null : shipping;
}
