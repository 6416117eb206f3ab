// A strict TypeScript project that uses every export of the client module. It is compiled, not run.

import {
  CartDataError,
  NetworkError,
  SelectionTextError,
  ServiceError,
  cartLines,
  createClient,
  decimal,
  decodeSelection,
  encodeSelection,
  evaluateConditions,
  evaluateSelection,
  formatMoney,
  mergeBundles,
  removeBundle,
  requestBody,
  shownPrice,
} from "../../../bundlesvc/storefront/client/client.js";
import type {
  Bundle,
  BundleList,
  CartLine,
  Client,
  ConditionsResult,
  ConfigureBody,
  ConfigureResult,
  Detail,
  DetailCode,
  DetailOf,
  EmbedBundle,
  EmbedBundleOptions,
  ErrorCode,
  Evaluation,
  EvaluationContext,
  Fee,
  GraphNode,
  NextTier,
  Pricing,
  Product,
  Refusal,
  RefusalCode,
  SelectedItem,
  ServiceErrorCode,
  Settings,
  ShopperSelection,
  Variant,
} from "../../../bundlesvc/storefront/client/client.js";

const client: Client = createClient({ baseUrl: "https://bundles.example/api/headless/v1", apiKey: "bnd_live_…" });
createClient({
  baseUrl: "",
  apiKey: "",
  fetch: globalThis.fetch,
  timeoutMs: 1,
  retries: 0,
  backoffMs: 1,
  maxWaitMs: 1,
});
createClient({ baseUrl: "", apiKey: "", fetch: (input, init) => fetch(input, init) });

export async function read(id: number, signal: AbortSignal): Promise<[Bundle, readonly Product[], Settings]> {
  const [first] = await client.bundles({ signal });
  const { bundles, next } = await client.listBundles({ lang: "de", include: "offer", limit: 20, signal });
  const price: string | null | undefined = bundles[0]?.fromPrice;
  const part: BundleList = await client.listBundles({ cursor: next, handle: price ?? "box" });
  console.log(part.bundles[0]?.name);
  const name: string | undefined = first?.name;
  const products = await client.products(id, { countryCode: name === "Box" ? "US" : null, signal });
  return [await client.bundle(id), products, await client.settings()];
}

export async function embed(): Promise<string> {
  const bundle: EmbedBundle = await client.embed.bundle({ id: 42, lang: "de", visitorId: "…", abBypass: true });
  await client.embed.bundle({ productHandle: "box", forceTemplate: "compact", countryCode: "DE", fresh: true });
  const named: EmbedBundleOptions[] = [
    { id: 42, productHandle: "box" },
    { id: undefined, productHandle: "box" },
  ];
  await Promise.all(named.map((options) => client.embed.bundle(options)));
  const settings = await client.embed.settings({ lang: "de" });
  const found = await client.embed.variant(bundle.id, "8000000000000000");
  const contents = await client.embed.content([
    { configuredBundleId: 1 },
    { variantId: found.items[0]?.variantId ?? 1 },
  ]);
  const { message_code } = await client.embed.notify({
    variant: "11",
    customerEmail: "a@b.example",
    bundleName: "Box",
  });
  const code: "success" | "already_registered" | "in_stock" = message_code;
  return [
    settings.texts["addToCart"] ?? "",
    contents.bundles[0]?.content ?? "",
    bundle.experiment?.id ?? "",
    code,
  ].join();
}

export async function buy(
  bundle: Bundle,
  products: readonly Product[],
  settings: Settings,
): Promise<readonly CartLine[]> {
  const items: SelectedItem[] = [
    { variant: "11", product: "1", section: 1, personalisation: { name: "Mira", wrap: true } },
  ];
  const selection: ShopperSelection = {
    items,
    subscription: { id: 7, frequency: 1, unit: "month", email: "a@b.example" },
  };
  const context: EvaluationContext = { ...settings, country: "US" };
  const evaluation: Evaluation = evaluateSelection(bundle, products, selection, context);
  const body: ConfigureBody = requestBody(bundle, selection, context, evaluation);
  const pricing: Pricing = await client.price(bundle.id, body);
  show(pricing, settings);
  const result: ConfigureResult = await client.configure(bundle.id, body, { idempotencyKey: "order-1" });
  await client.embed.configure(bundle.id, requestBody(bundle, selection, {}));
  await client.configure(bundle.id, { ...body, ...shownPrice({ pricing: evaluation.pricing }) });
  return cartLines(result);
}

export function explain(evaluation: Evaluation): string[] {
  const refusal: Refusal | null = evaluation.refusal;
  const code: RefusalCode | undefined = refusal?.code;
  const next: NextTier | null = evaluation.nextTier;
  const fees: readonly Fee[] = evaluation.fees;
  const details: readonly Detail[] = refusal?.details ?? [];
  return [code ?? "", next?.missing ?? "", ...fees.map((fee) => fee.amount), ...details.map(({ message }) => message)];
}

export function show({ originalPrice, discountedPrice }: Pricing, { moneyFormat }: Settings): string {
  const saved: decimal.Decimal = decimal.subtract(decimal.parse(originalPrice), decimal.parse(discountedPrice));
  return formatMoney(decimal.toFixed(saved, 2), moneyFormat);
}

export function conditions(nodes: readonly GraphNode[], variants: ReadonlyMap<string, Variant>): ConditionsResult {
  return evaluateConditions(nodes, { items: [], variants }, { weightUnit: "kg", country: null, subscribed: false });
}

export function cart(existing: string | null, result: ConfigureResult): string {
  const platformCart = {
    token: "c1",
    items: [{ key: "a", quantity: 1, properties: { _bundle_data: "7#1#x" } }],
    attributes: { _bundles: mergeBundles(existing, result) },
  };
  const after = removeBundle(platformCart, result.configured_bundle_id);
  return after.items[0]?.key ?? after.token;
}

export async function reopen(unique: string): Promise<ShopperSelection> {
  const read = await client.readConfigured(7, unique);
  const { products: items, subscription } = read.selection;
  const first = read.details[0];
  const price: string | undefined = read.pricingNow?.discountedPrice;
  if (first?.code === "limit_not_met" && first.alternatives?.length === 0) throw new Error(first.platformProductId);
  if (first?.code === "limit_not_met") throw new Error(`${first.missing} ${price} ${read.selection.countryCode}`);
  return decodeSelection(encodeSelection({ items, subscription }));
}

export function failure(error: unknown): string {
  if (error instanceof SelectionTextError) return error.text;
  if (error instanceof ServiceError && error.limit === "ghost_variants") return String(error.retryAfter);
  if (error instanceof ServiceError) return `${error.code} ${error.status} ${error.requestId} ${error.details.length}`;
  if (error instanceof NetworkError) return `${error.timedOut} ${String(error.cause)}`;
  if (error instanceof CartDataError) return error.text;
  return "";
}

export function advice(error: ServiceError): string {
  switch (error.code) {
    case "rules_not_met":
      return error.details.map(ruleNotMet).join(" ");
    case "price_changed":
      return error.details.map(({ path, expected, actual }) => `${path}: ${expected}, now ${actual}`).join();
    case "conditions_discount_mismatch":
      return error.details[0]?.conditionsDiscount?.value ?? "";
    case "key_scope":
    case "origin_not_allowed":
      return "Check the key.";
    case "invalid_response":
      return error.message;
    default:
      return error.details.map(({ message }) => message).join(" ");
  }
}

function ruleNotMet(detail: DetailOf<"rules_not_met">): string {
  if (detail.code === "limit_not_met") return `${detail.rule} ${detail.missing.length} ${detail.unit}`;
  if (detail.code === "required_missing") return `${detail.platformProductId} ${detail.missing}`;
  return detail.code === "sold_out" ? detail.platformVariantId : detail.message;
}

export const codes: readonly [ErrorCode, ServiceErrorCode, DetailCode] = ["not_found", "invalid_response", "sold_out"];

// The following must not compile.

// @ts-expect-error: a client needs a key
createClient({ baseUrl: "" });
// @ts-expect-error: `retries` is a number
createClient({ baseUrl: "", apiKey: "", retries: "3" });
// @ts-expect-error: bundle ids are numbers
void client.bundle("42");
// @ts-expect-error: the body of configure has the bundle's type
void client.configure(42, { products: [] });
// @ts-expect-error: a type is one of three
void client.configure(42, { type: "upsells", products: [] });
// @ts-expect-error: an item has a section
void client.price(42, { products: [{ variant: "11", product: "1" }] });
// @ts-expect-error: variant ids are strings
void client.price(42, { products: [{ variant: 11, product: "1", section: 1 }] });
// @ts-expect-error: there are four subscription units
void client.price(42, { products: [], subscription: { id: 7, frequency: 1, unit: "fortnight" } });
// @ts-expect-error: options are in camelCase
void client.embed.notify({ variant: "11", customer_email: "a@b.example", bundleName: "Box" });
// @ts-expect-error: an id alone reveals nothing
void client.readConfigured(42);
// @ts-expect-error: an id is required
void client.embed.content([{}]);
// @ts-expect-error: a bundle has an id or a handle
void client.embed.bundle({});
// @ts-expect-error: a language names no bundle
void client.embed.bundle({ lang: "de", productHandle: undefined });

export function wrong(bundle: Bundle, evaluation: Evaluation, result: ConfigureResult): void {
  // @ts-expect-error: a context needs a currency
  evaluateSelection(bundle, [], { items: [] }, {});
  // @ts-expect-error: pricing may be null
  evaluation.pricing.currency;
  // @ts-expect-error: the cart may be null
  result.cart.line_items;
  // @ts-expect-error: responses are read-only
  bundle.name = "";
  // @ts-expect-error: lists of responses are read-only
  bundle.sections.push();
  // @ts-expect-error: absent when the shop does not have the feature
  bundle.sellingPlans.length;
  // @ts-expect-error: an amount is a string
  formatMoney(12.5, "{{amount}}");
  // @ts-expect-error: strings are not decimal numbers
  decimal.add("1.00", "2.00");
  // @ts-expect-error: ids of configured bundles are numbers
  removeBundle({ items: [] }, "7");
}

export function misspelt(error: ServiceError, detail: Detail, refusal: Refusal): void {
  // @ts-expect-error: the code is rate_limited
  if (error.code === "rate_limit") return;
  switch (error.code) {
    // @ts-expect-error: the code is rules_not_met
    case "rule_not_met":
      return;
  }
  // @ts-expect-error: the code is sold_out
  if (detail.code === "soldout") return;
  // @ts-expect-error: only a selection that does not meet the rules can have this detail
  if (error.code === "selection_invalid" && error.details[0]?.code === "sold_out") return;
  // @ts-expect-error: a refusal is no rate limit
  if (refusal.code === "rate_limited") return;
  // @ts-expect-error: only a subscription has unknown groups
  if (refusal.code === "rules_not_met" && refusal.details[0]?.code === "unknown_group") return;
  // @ts-expect-error: this error has no details
  if (error.code === "not_found") error.details[0]?.message;
  // @ts-expect-error: not every detail has it
  detail.missing;
  // @ts-expect-error: a variant that is sold out has no count
  if (detail.code === "sold_out") detail.missing;
  // @ts-expect-error: a variant has no rule
  if (detail.code === "not_sold_in_country") detail.rule;
  // @ts-expect-error: the client alone creates these errors
  new ServiceError("");
}
