import { type Amount, sum } from "./amounts";

/** A line that takes a share of a reduction, in proportion to its price. */
export interface Weighed {
  readonly variant: number;
  readonly amount: Amount;
}

/**
 * Split a reduction over lines, in whole units. Each share is rounded down, and the largest fractions get one more unit; of equal fractions,
 * those with the smaller variant ids. The shares add up to the reduction, and no share exceeds the price of its line.
 */
export function allocate(off: Amount, lines: readonly Weighed[], unit: Amount): Amount[] {
  const total = sum(lines.map((line) => line.amount));
  if (total === 0n) return lines.map(() => 0n);
  const units = off / unit;
  const shares = lines.map((line) => (units * line.amount) / total);
  const byFraction = lines
    .map((line, place) => ({ place, variant: line.variant, fraction: (units * line.amount) % total }))
    .sort(
      (one, other) => compare(other.fraction, one.fraction) || one.variant - other.variant || one.place - other.place,
    );
  const left = Number(units - sum(shares));
  const raised = new Set(byFraction.slice(0, left).map(({ place }) => place));
  return shares.map((share, place) => (share + (raised.has(place) ? 1n : 0n)) * unit);
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
