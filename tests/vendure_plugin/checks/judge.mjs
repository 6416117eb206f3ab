// Reads a cart as a line of JSON and writes the result of the plugin's checks. Amounts are texts in the currency's unit.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const promise = (name) => require(`../../../bundlesvc/platforms/vendure/plugin/dist/promise/${name}.js`);
const { parseAmount, unitOf } = promise("amounts");
const { Countries } = promise("countries");
const { DiscountKeys } = promise("discount-keys");
const { Promises } = promise("promise");

const MILLIONTHS = 1_000_000n;
const text = (amount) => `${amount / MILLIONTHS}.${String(amount % MILLIONTHS).padStart(6, "0")}`;

function judge({ keys, shop, maxAgeDays, channels, channel, currency, decimals, now, lines }) {
  const promises = new Promises(new DiscountKeys(keys), { shop, maxAgeDays }, new Countries(channels));
  const read = lines.map((line) => ({ ...line, unitPrice: parseAmount(line.unitPrice) }));
  return promises.judge({ lines: read, currency, channel, unit: unitOf(decimals), now }).map((outcome) => ({
    configured: outcome.configured,
    lines: outcome.lines.map((line) => line.id),
    reason: outcome.reason,
    off: Object.fromEntries([...outcome.off].map(([id, amount]) => [id, text(amount)])),
  }));
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(judge(JSON.parse(line)))}\n`);
}
