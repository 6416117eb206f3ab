import type { OrderLine } from "@vendure/core";
import { placedUnits } from "../orders/order-cart";

/** A function that rounds the price of a number of units like the engine. */
export type Round = (unitPrice: number, units: number) => number;

const PERCENT = 100;

/** The charge of a line of a placed order for its units. Amounts are with or without tax, as the price of the line was entered. */
export class ChargedLine {
  readonly id: string;
  /** The number of units that were placed. */
  readonly units: number;
  private readonly unitPrice: number;
  private readonly taxFactor: number;

  constructor(
    readonly line: OrderLine,
    private readonly round: Round,
  ) {
    this.id = String(line.id);
    this.units = placedUnits(line);
    const off = line.adjustments.reduce((total, { amount }) => total + amount, 0);
    this.unitPrice = line.listPrice + off / this.units;
    this.taxFactor = 1 + line.taxRate / PERCENT;
  }

  /** The number of units that have been cancelled since. */
  get cancelled(): number {
    return this.units - this.line.quantity;
  }

  /** The price of the first units. */
  readonly charge = (units: number): number => this.round(this.unitPrice, units);

  /** The tax on the first units. */
  readonly tax = (units: number): number => this.gross(units) - this.net(units);

  /** The price of the first units with tax. */
  readonly gross = (units: number): number =>
    this.round(this.line.listPriceIncludesTax ? this.unitPrice : this.unitPrice * this.taxFactor, units);

  /** Splits an amount with tax into an amount in the terms of the line's price, and the tax contained in it. */
  parts(gross: number): { amount: number; tax: number } {
    const net = Math.round(gross / this.taxFactor);
    return { amount: this.line.listPriceIncludesTax ? gross : net, tax: gross - net };
  }

  private net(units: number): number {
    return this.round(this.line.listPriceIncludesTax ? this.unitPrice / this.taxFactor : this.unitPrice, units);
  }
}
