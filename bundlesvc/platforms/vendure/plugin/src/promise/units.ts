import { createHash } from "node:crypto";

/** Numbers of units by variant id. */
export type Counts = ReadonlyMap<number, number>;

/** The units in a promise: numbers by variant id, or `sha256:` and a digest when there are many. */
export type PromisedUnits = Counts | string;

const ID = /^[1-9]\d{0,15}$/;

/** Parses a numeric id; null when the text is not one. */
export function parseId(text: string): number | null {
  const id = ID.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}

export function countUnits(lines: Iterable<{ readonly variant: number; readonly quantity: number }>): Counts {
  const counts = new Map<number, number>();
  for (const { variant, quantity } of lines) counts.set(variant, (counts.get(variant) ?? 0) + quantity);
  return counts;
}

/** `sha256:` and, in hexadecimal, the digest of the pairs `<id>:<count>`, sorted by id and joined by commas. */
export function digestOf(counts: Counts): string {
  const pairs = [...counts].sort(([one], [other]) => one - other).map(([variant, count]) => `${variant}:${count}`);
  return `sha256:${createHash("sha256").update(pairs.join(",")).digest("hex")}`;
}
