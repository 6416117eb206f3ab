import type { LineFields } from "../orders/line-fields";
import { MOST_LETTERS } from "../orders/line-fields";
import { parseMark } from "../promise/bundles";
import { LONGEST } from "../promise/discount-keys";

/** A line to add to an order. */
export interface NewLine {
  readonly productVariantId: number;
  readonly quantity: number;
  readonly customFields: LineFields;
}

const MOST_LINES = 1000;
const MARK = "_bundle_data";
const FEE = "_bundle_fee";

type Json = Readonly<Record<string, unknown>>;

/** The lines of a configured bundle, from the response of a configure request; null when they cannot be read. Anyone may have changed it. */
export function readConfigured(response: unknown): NewLine[] | null {
  const cart = object(object(response)?.cart);
  const items = cart?.line_items;
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_LINES) return null;
  const entries = entriesIn(object(cart?.attributes)?._bundles);
  const lines = items.map((item) => readLine(object(item), entries));
  const known = lines.filter((line) => line !== null);
  return known.length === lines.length && new Set(known.map((line) => line.customFields.bundleData)).size === 1
    ? known
    : null;
}

function readLine(item: Json | null, entries: Json | null): NewLine | null {
  const properties = object(item?.properties);
  const mark = text(properties?.[MARK]);
  const configured = mark === null ? null : parseMark(mark)?.configured;
  const entry = configured == null ? null : object(entries?.[configured]);
  const { id, quantity } = item ?? {};
  if (!entry || !properties || !isCount(id) || !isCount(quantity)) return null;
  return { productVariantId: id, quantity, customFields: fieldsIn(mark, properties, entry) };
}

function fieldsIn(mark: string | null, properties: Json, entry: Json): LineFields {
  const { [MARK]: _, [FEE]: fee, ...answers } = properties;
  return {
    bundleData: mark,
    bundleFee: fee === undefined ? null : String(fee).slice(0, MOST_LETTERS),
    bundleDiscount: text(entry.discount)?.slice(0, LONGEST + 1) ?? null,
    bundleId: isNumber(entry.id) ? entry.id : null,
    bundleTitle: text(entry.title)?.slice(0, MOST_LETTERS) ?? null,
    bundleAnswers: Object.keys(answers).length > 0 ? JSON.stringify(answers) : null,
  };
}

function entriesIn(attribute: unknown): Json | null {
  try {
    return object(JSON.parse(text(attribute) ?? ""));
  } catch {
    return null;
  }
}

function object(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const LARGEST_INT = 2 ** 31 - 1;

/** Whether a value is a whole number that fits into 32 bits, as which the engine stores numbers. */
function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= LARGEST_INT;
}

function isCount(value: unknown): value is number {
  return isNumber(value) && value > 0;
}
