import type { Refund } from "@vendure/core";
import { allocate } from "../promise/allocation";
import type { ChargedLine } from "./charged-line";

/** A change of a line since the order was placed; the numbers are differences. */
export interface Change {
  readonly line: string;
  readonly quantity: number;
  readonly amount: string;
  readonly tax: string;
}

/** Returned units, and what was paid for them. */
export interface RefundOfUnits extends Change {
  readonly restocked: boolean;
}

type Money = (amount: number) => string;

/** Units that were cancelled without a refund: they no longer cost anything. Units that were cancelled with a refund count as returned. */
export function editsOf(lines: readonly ChargedLine[], refunds: readonly Refund[], money: Money): Change[] {
  const refunded = refundedUnits(refunds);
  return lines.flatMap((line) => {
    const left = line.units - unpaid(line, refunded);
    if (left === line.units) return [];
    const amount = money(line.charge(left) - line.charge(line.units));
    return [{ line: line.id, quantity: left - line.units, amount, tax: money(line.tax(left) - line.tax(line.units)) }];
  });
}

/** The refunds of an order, line by line, oldest first. No line is refunded more than it cost. */
export function refundsOf(lines: readonly ChargedLine[], refunds: readonly Refund[], money: Money): RefundOfUnits[] {
  const account = new Account(lines, refundedUnits(refunds));
  return refunds.flatMap((refund) =>
    account.book(refund).map(({ line, quantity, amount, tax }) => ({
      line: line.id,
      quantity,
      amount: money(amount),
      tax: money(tax),
      restocked: quantity > 0 && line.cancelled > 0,
    })),
  );
}

interface Booked {
  readonly line: ChargedLine;
  readonly quantity: number;
  readonly amount: number;
  readonly tax: number;
}

/** The balance of each line while refunds are booked one after another. */
class Account {
  private readonly units = new Map<string, number>();
  private readonly left: Map<string, { amount: number; tax: number }>;

  constructor(
    private readonly lines: readonly ChargedLine[],
    refunded: ReadonlyMap<string, number>,
  ) {
    this.left = new Map(
      lines.map((line) => {
        const units = line.units - unpaid(line, refunded);
        return [line.id, { amount: line.charge(units), tax: line.tax(units) }];
      }),
    );
  }

  book(refund: Refund): Booked[] {
    const named = this.lines.flatMap((line) => {
      const quantity = refund.lines
        .filter(({ orderLineId }) => String(orderLineId) === line.id)
        .reduce((total, one) => total + one.quantity, 0);
      return quantity > 0 ? [this.part(line, quantity)] : [];
    });
    const total = Math.max(refund.total - refund.shipping, 0);
    const paid = named.reduce((sum, { gross }) => sum + gross, 0);
    if (named.length > 0 && paid === total) return named.map((part) => this.take(part));
    return this.spread(total, named.length > 0 ? named : this.lines.map((line) => this.part(line, 0)));
  }

  /** A number of units with the price paid for them. They follow the units that were returned earlier. */
  private part(line: ChargedLine, quantity: number): Booked & { gross: number } {
    const before = this.units.get(line.id) ?? 0;
    const until = Math.min(before + quantity, line.units);
    this.units.set(line.id, until);
    return {
      line,
      quantity: until - before,
      amount: line.charge(until) - line.charge(before),
      tax: line.tax(until) - line.tax(before),
      gross: line.gross(until) - line.gross(before),
    };
  }

  /**
   * Spreads an amount that differs from what was paid, such as a sum that an administrator entered, in proportion to the prices of the lines.
   */
  private spread(total: number, parts: ReadonlyArray<Booked & { gross: number }>): Booked[] {
    const weighed = parts.map(({ line, gross }) => ({
      variant: Number(line.line.productVariantId),
      amount: BigInt(gross || line.gross(line.units)),
    }));
    const shares = allocate(BigInt(total), weighed, 1n);
    return parts
      .map((part, place) => this.take({ ...part, ...part.line.parts(Number(shares[place] ?? 0n)) }))
      .filter(({ quantity, amount }) => quantity > 0 || amount > 0);
  }

  private take({ line, quantity, amount, tax }: Booked): Booked {
    const left = this.left.get(line.id) ?? { amount: 0, tax: 0 };
    const taken = { amount: Math.min(amount, left.amount), tax: Math.min(tax, left.tax) };
    this.left.set(line.id, { amount: left.amount - taken.amount, tax: left.tax - taken.tax });
    return { line, quantity, ...taken };
  }
}

function unpaid(line: ChargedLine, refunded: ReadonlyMap<string, number>): number {
  return Math.max(line.cancelled - (refunded.get(line.id) ?? 0), 0);
}

function refundedUnits(refunds: readonly Refund[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { orderLineId, quantity } of refunds.flatMap(({ lines }) => lines))
    units.set(String(orderLineId), (units.get(String(orderLineId)) ?? 0) + quantity);
  return units;
}
