/** An exact amount in millionths of a currency's unit, or an exact percentage in millionths of a percent. */
export type Amount = bigint;

export const HUNDRED: Amount = 100_000_000n;
/** The largest total price of the lines of one bundle. */
export const LARGEST: Amount = 10n ** 18n;

const MOST_DECIMALS = 6;
const TEXT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

const NO_DECIMALS = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "));
const THREE_DECIMALS = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** Parses an amount such as "12" or "12.50"; null when the text has another form. */
export function parseAmount(text: string): Amount | null {
  const [, whole, fraction = ""] = TEXT.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(MOST_DECIMALS, "0"));
}

/** The smallest amount with this number of decimal places. */
export function unitOf(decimals: number): Amount {
  return 10n ** BigInt(MOST_DECIMALS - decimals);
}

/** The number of decimal places of a currency (ISO 4217). */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** A percentage of an amount, rounded half up to the currency's minor unit. */
export function percentageOf(amount: Amount, percentage: Amount, currency: string): Amount {
  const minor = unitOf(decimalsOf(currency));
  const divisor = HUNDRED * minor;
  return ((amount * percentage * 2n + divisor) / (divisor * 2n)) * minor;
}

export function sum(amounts: Iterable<Amount>): Amount {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
