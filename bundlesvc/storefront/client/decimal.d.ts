/** An exact decimal number: `units` × 10^-`scale`. Made by `parse` and `fromInteger`; never changed. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export declare const ZERO: Decimal;

/** Whether this is text such as "12", "12.50" or "-0.5". */
export declare function isDecimal(text: unknown): text is string;

/** The number that a decimal string names; throws a TypeError when it is no such text. */
export declare function parse(text: string): Decimal;

/** A whole number; throws a RangeError when it has a fraction. */
export declare function fromInteger(number: number | bigint): Decimal;

export declare function add(left: Decimal, right: Decimal): Decimal;
export declare function subtract(left: Decimal, right: Decimal): Decimal;
export declare function multiply(left: Decimal, right: Decimal): Decimal;
/** The quotient with `decimals` digits behind the point, rounded as `round` does; `right` is not 0. */
export declare function divide(left: Decimal, right: Decimal, decimals: number): Decimal;

/** -1 when `left` is the smaller, 0 when they are equal as numbers, 1 when it is the larger. */
export declare function compare(left: Decimal, right: Decimal): -1 | 0 | 1;

/** At most `decimals` digits behind the point, a half rounded away from zero. */
export declare function round(number: Decimal, decimals: number): Decimal;

/** The number without what stands behind `decimals` digits. */
export declare function truncate(number: Decimal, decimals: number): Decimal;

/** Rounded, in whole units of the last decimal: 19.99 with two is 1999n. */
export declare function toUnits(number: Decimal, decimals: number): bigint;

/** The other way round: 1999n with two decimals is 19.99. */
export declare function fromUnits(units: bigint, decimals: number): Decimal;

/** Text with exactly `decimals` digits behind the point, rounded: "1.30". */
export declare function toFixed(number: Decimal, decimals: number): string;

/** Text without trailing zeros: "1.3". */
export declare function toPlain(number: Decimal): string;
