import type { Order, OrderLine } from "@vendure/core";
import { unitOf } from "../promise/amounts";
import type { CartLine } from "../promise/bundles";
import type { Cart } from "../promise/promise";
import { fieldsOf } from "./line-fields";

const SECOND = 1000;

/**
 * An order in the form that the checks read. In a placed order, the time of the placement counts, and units cancelled since then are
 * included, so that what was charged stays right for the remaining units.
 */
export function cartOf(order: Order, channel: string, decimals: number): Cart {
  const unit = unitOf(decimals);
  return {
    lines: order.lines.filter((line) => placedUnits(line) > 0).map((line) => cartLine(line, unit)),
    currency: order.currencyCode,
    channel,
    unit,
    now: Math.floor((order.orderPlacedAt ?? new Date()).getTime() / SECOND),
  };
}

/** The units of a line; in a placed order, the number that was placed, if some units have been cancelled. */
export function placedUnits(line: OrderLine): number {
  return Math.max(line.orderPlacedQuantity ?? 0, line.quantity);
}

function cartLine(line: OrderLine, unit: bigint): CartLine {
  const { bundleData, bundleFee, bundleDiscount, bundleId } = fieldsOf(line);
  return {
    id: String(line.id),
    variant: Number(line.productVariantId ?? line.productVariant.id),
    quantity: placedUnits(line),
    unitPrice: BigInt(Math.round(line.listPrice)) * unit,
    mark: bundleData ?? null,
    isFee: bundleFee != null,
    discount: bundleDiscount ?? null,
    bundle: bundleId ?? null,
  };
}
