import type { OrderLine } from "@vendure/core";
import { placedUnits } from "../orders/order-cart";

/** Rounds the price of some units as the engine does. */
export type Round = (unitPrice: number, units: number) => number;

const PERCENT = 100;

/** What a line of a placed order charges for its units. Amounts are in the terms in which its price was entered, with or without tax. */
export class ChargedLine {
  readonly id: string;
  /** The units that were placed. */
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

  /** The units that were cancelled since. */
  get cancelled(): number {
    return this.units - this.line.quantity;
  }

  /** What the first units cost. */
  readonly charge = (units: number): number => this.round(this.unitPrice, units);

  /** The tax on the first units. */
  readonly tax = (units: number): number => this.gross(units) - this.net(units);

  /** What the first units cost with tax. */
  readonly gross = (units: number): number =>
    this.round(this.line.listPriceIncludesTax ? this.unitPrice : this.unitPrice * this.taxFactor, units);

  /** What is left of an amount with tax, in the terms of the line's price, and the tax in it. */
  parts(gross: number): { amount: number; tax: number } {
    const net = Math.round(gross / this.taxFactor);
    return { amount: this.line.listPriceIncludesTax ? gross : net, tax: gross - net };
  }

  private net(units: number): number {
    return this.round(this.line.listPriceIncludesTax ? this.unitPrice / this.taxFactor : this.unitPrice, units);
  }
}
