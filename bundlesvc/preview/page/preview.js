/** The preview of a shop file: shows what the server says of the file, each time it changes. */

import { h, part } from "./dom.js";
import { priceFormatter } from "/storefront/client/client.js";
import "/storefront/bundle-builder.js";

/** @typedef {{line: number | null, severity: string, path: string, message: string, hint: string, bundleId: number | null}} Finding */
/** @typedef {{id: number, name: string, published: boolean, fromPrice: string | null, discountSummary: string | null}} Bundle */
/**
 * @typedef {{
 *   apiKey: string, basePath: string, file: string, number: number, isCurrent: boolean, shopName: string, currency: string,
 *   moneyFormat: string, languages: string[], countries: string[], bundles: Bundle[], findings: Finding[],
 * }} State
 */

const LANGUAGES = new Intl.DisplayNames("en", { type: "language" });
const COUNTRIES = new Intl.DisplayNames("en", { type: "region" });
/** The names of the lists of choices. */
const CHOICES = /** @type {const} */ (["lang", "country"]);
const COUNTS = { error: "error", warning: "warning", note: "note" };

/** @type {State | null} */
let state = null;
/** The last `bundle:change` of the component. @type {import("../../storefront/bundle-builder.js").BundleChange | null} */
let change = null;

const events = new EventSource("/preview/events");
events.addEventListener("message", ({ data }) => show(JSON.parse(data)));
events.addEventListener("error", () => say("The preview has ended. Start it again.", "off"));
window.addEventListener("hashchange", () => state && draw());
for (const name of CHOICES) part(name).addEventListener("change", () => setUp(part("builder")));

document.addEventListener("bundle:change", (event) => {
  change = event.detail;
  drawPrices();
});

/** Shows a new state of the file. The component keeps what is chosen in it. */
function show(/** @type {State} */ now) {
  const before = state;
  state = now;
  document.title = `${now.file} · Preview`;
  part("shop").textContent = now.shopName || "Preview";
  part("file").textContent = now.file;
  choices(
    "lang",
    now.languages.map((tag) => [tag, nameOf(LANGUAGES, tag)]),
  );
  choices("country", [["", "none"], ...now.countries.map((code) => [code, nameOf(COUNTRIES, code)])]);
  drawFaults();
  draw();
  if (before && now.isCurrent) part("builder")?.reload();
}

/** The bundle in the address, or else the first. */
function shown() {
  const { bundles } = /** @type {State} */ (state);
  return bundles.find(({ id }) => String(id) === location.hash.slice(1)) ?? bundles[0];
}

function draw() {
  const { bundles, findings, isCurrent } = /** @type {State} */ (state);
  const bundle = shown();
  part("bundles").replaceChildren(...bundles.map((one) => link(one, one === bundle)));
  part("side").hidden = !bundle;
  if (!bundle) {
    part("main").replaceChildren(
      h("p.message", { text: isCurrent ? "The file has no bundles." : "Nothing to show yet." }),
    );
    return;
  }
  if (part("builder")?.getAttribute("bundle-id") !== String(bundle.id)) {
    change = null;
    part("main").replaceChildren(component(bundle));
  }
  setUp(part("builder"));
  fill("findings", isCurrent ? findings.filter(({ bundleId }) => bundleId === bundle.id) : []);
  fill("shop-findings", isCurrent ? findings.filter(({ bundleId }) => bundleId === null) : []);
  part("findings-box").hidden = !isCurrent;
  part("no-findings").hidden = part("findings").childElementCount > 0;
  part("shop-findings-box").hidden = part("shop-findings").childElementCount === 0;
  drawPrices();
}

function link(/** @type {Bundle} */ { id, name, published }, /** @type {boolean} */ isShown) {
  const { findings } = /** @type {State} */ (state);
  const own = findings.filter(({ bundleId }) => bundleId === id);
  const worst = Object.keys(COUNTS).find((severity) => own.some((finding) => finding.severity === severity));
  return h(
    "li",
    {},
    h(
      "a.bundle",
      { href: `#${id}`, "aria-current": isShown && "page" },
      h("span", { text: name || `Bundle ${id}` }),
      published ? null : h("span.tag", { text: "not published" }),
      own.length ? h("span.tag", { "data-severity": worst, text: counted(own) }) : null,
    ),
  );
}

function component(/** @type {Bundle} */ { id }) {
  const { basePath } = /** @type {State} */ (state);
  return h("bundle-builder", { id: "builder", "bundle-id": id, "base-url": location.origin + basePath });
}

/** Sets the key, the language and the country of the component. */
function setUp(/** @type {HTMLElement | null} */ builder) {
  if (!builder) return;
  builder.setAttribute("api-key", /** @type {State} */ (state).apiKey); // another when the preview was started again
  for (const name of CHOICES) {
    const { value } = part(name);
    if (value) builder.setAttribute(name, value);
    else builder.removeAttribute(name);
  }
}

function drawFaults() {
  const { isCurrent, findings, bundles } = /** @type {State} */ (state);
  part("faults").hidden = isCurrent;
  part("last-good").hidden = bundles.length === 0;
  fill("fault-list", isCurrent ? [] : findings);
  if (!isCurrent) say(`Not shown yet: ${counted(findings)}`, "error");
  else say(`As saved at ${new Date().toLocaleTimeString()}${findings.length ? `, ${counted(findings)}` : ""}`, "good");
}

function drawPrices() {
  const bundle = shown();
  if (!bundle) return;
  const pricing = change?.presentment ?? change?.pricing;
  const rows = [
    ["From", bundle.fromPrice === null ? "not known exactly" : money(bundle.fromPrice)],
    ["Discount", bundle.discountSummary ?? "none"],
    ["Chosen, full price", pricing ? money(pricing.originalPrice, pricing.currency) : "–"],
    ["Chosen, price", pricing ? money(pricing.discountedPrice, pricing.currency) : "–"],
  ];
  part("prices").replaceChildren(
    ...rows.map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value }))),
  );
  part("missing").replaceChildren(
    ...((pricing && change?.failures) || []).map((failure) => h("li", { text: sentenceOf(failure) })),
  );
}

/** A failure that only the component knows has no message. */
function sentenceOf(/** @type {{ path: string, code: string, message?: string }} */ { path, code, message }) {
  return message ?? `${path}: ${code}`;
}

/**
 * @param {string} amount
 * @param {string} [currency] default: the shop's
 */
function money(amount, currency) {
  return priceFormatter(/** @type {State} */ (state), "en")(amount, currency);
}

function fill(/** @type {string} */ id, /** @type {Finding[]} */ findings) {
  part(id).replaceChildren(...findings.map(item));
}

function item(/** @type {Finding} */ { line, severity, path, message, hint }) {
  const place = [line === null ? "" : `line ${line}`, path].filter(Boolean).join(" · ");
  return h(
    "li.finding",
    { "data-severity": severity },
    h("p.place", {}, h("strong", { text: severity }), ` ${place}`),
    h("p", { text: message }),
    hint ? h("p.more", { text: `${hint[0].toUpperCase()}${hint.slice(1)}.` }) : null,
  );
}

/** "1 error, 2 warnings" */
function counted(/** @type {Finding[]} */ findings) {
  return Object.entries(COUNTS)
    .map(([severity, noun]) => [findings.filter((finding) => finding.severity === severity).length, noun])
    .filter(([count]) => count)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`)
    .join(", ");
}

/** The name of a language or country; a tag that is none is its own name. */
function nameOf(/** @type {Intl.DisplayNames} */ names, /** @type {string} */ code) {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Fills a list of choices, and keeps the chosen one if it is still there. */
function choices(/** @type {typeof CHOICES[number]} */ id, /** @type {string[][]} */ options) {
  const select = part(id);
  const { value } = select;
  select.replaceChildren(...options.map(([key, text]) => h("option", { value: key, text })));
  if (options.some(([key]) => key === value)) select.value = value;
  /** @type {HTMLElement} */ (select.closest("label")).hidden = options.length < 2;
}

function say(/** @type {string} */ text, /** @type {string} */ kind) {
  part("state").textContent = text;
  part("state").dataset.kind = kind;
}
