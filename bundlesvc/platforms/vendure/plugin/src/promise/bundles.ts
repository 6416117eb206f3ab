import type { Amount } from "./amounts";
import { parseId } from "./units";

/** A line of an order, with the data that bundles need. Prices are as the shop entered them, with or without tax. */
export interface CartLine {
  readonly id: string;
  readonly variant: number;
  readonly quantity: number;
  readonly unitPrice: Amount;
  /** `<configured bundle>#<parent variant>#<unique id>`; null for a line that belongs to no bundle. */
  readonly mark: string | null;
  readonly isFee: boolean;
  readonly discount: string | null;
  /** The id of the bundle in the line; null when the line contains none. */
  readonly bundle: number | null;
}

/** The parsed mark, which identifies the bundle of a line. */
export interface Mark {
  readonly configured: number;
  readonly parent: number;
  readonly unique: string;
}

/** The lines of one configured bundle, and its fees, which are charged at full price. */
export interface Bundle {
  readonly configured: number;
  readonly lines: CartLine[];
  readonly marks: Mark[];
  readonly fees: CartLine[];
}

const UNIQUE = /^[A-Za-z0-9]{1,64}$/;

/** Parses a mark; null when the text is not one. */
export function parseMark(text: string): Mark | null {
  const [configured, parent, unique, ...rest] = text.split("#");
  const ids = [parseId(configured ?? ""), parseId(parent ?? "")] as const;
  if (ids[0] === null || ids[1] === null || rest.length > 0 || !UNIQUE.test(unique ?? "")) return null;
  return { configured: ids[0], parent: ids[1], unique: unique ?? "" };
}

/** The bundles of an order, in the order of their first lines. A bundle of which only fees are left is omitted. */
export function bundlesIn(lines: readonly CartLine[]): Bundle[] {
  const bundles = new Map<number, Bundle>();
  const marked = lines.flatMap((line) => {
    const mark = line.mark === null ? null : parseMark(line.mark);
    return mark ? [{ line, mark }] : [];
  });
  for (const { line, mark } of marked.filter(({ line }) => !line.isFee)) {
    const bundle = bundles.get(mark.configured) ?? { configured: mark.configured, lines: [], marks: [], fees: [] };
    bundle.lines.push(line);
    bundle.marks.push(mark);
    bundles.set(mark.configured, bundle);
  }
  for (const { line, mark } of marked.filter(({ line }) => line.isFee)) bundles.get(mark.configured)?.fees.push(line);
  return [...bundles.values()];
}

/** Lines whose mark cannot be read. */
export function unreadableLines(lines: readonly CartLine[]): CartLine[] {
  return lines.filter((line) => line.mark !== null && parseMark(line.mark) === null);
}
