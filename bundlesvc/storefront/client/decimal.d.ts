/** An exact decimal number: `units` × 10^-`scale`. Create it with `parse` or `fromInteger`; it is immutable. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export declare const ZERO: Decimal;

/** Whether the value is a text such as "12", "12.50" or "-0.5". */
export declare function isDecimal(text: unknown): text is string;

/** Parses a decimal string; throws a TypeError for anything else. */
export declare function parse(text: string): Decimal;

/** The decimal number for a whole number; throws a RangeError when it has a fraction. */
export declare function fromInteger(number: number | bigint): Decimal;

export declare function add(left: Decimal, right: Decimal): Decimal;
export declare function subtract(left: Decimal, right: Decimal): Decimal;
export declare function multiply(left: Decimal, right: Decimal): Decimal;
/** The quotient with `decimals` digits after the point, rounded as `round` does; `right` must not be 0. */
export declare function divide(left: Decimal, right: Decimal, decimals: number): Decimal;

/** -1 when `left` is smaller, 0 when both are equal, 1 when `left` is larger. */
export declare function compare(left: Decimal, right: Decimal): -1 | 0 | 1;

/** Rounds to at most `decimals` digits after the point, halves away from zero. */
export declare function round(number: Decimal, decimals: number): Decimal;

/** Keeps `decimals` digits after the point and drops the others. */
export declare function truncate(number: Decimal, decimals: number): Decimal;

/** The rounded number, in units of its last decimal place: 19.99 with two decimal places is 1999n. */
export declare function toUnits(number: Decimal, decimals: number): bigint;

/** The reverse of `toUnits`: 1999n with two decimal places is 19.99. */
export declare function fromUnits(units: bigint, decimals: number): Decimal;

/** Text with exactly `decimals` digits after the point, rounded: "1.30". */
export declare function toFixed(number: Decimal, decimals: number): string;

/** Text without trailing zeros: "1.3". */
export declare function toPlain(number: Decimal): string;
