/** The list of bundles. */

import { confirmed } from "../dialogs.js";
import { announce, el, icon, iconButton, redraw } from "../dom.js";
import { countedFindings, findingList, worstOf } from "../editor/file-findings.js";
import { findingsOf } from "../editor/findings.js";
import { duplicateBundle, removeBundle } from "../model/changes.js";
import { draftClient } from "../model/draft-client.js";
import { listed, money } from "../model/money.js";
import { isSame } from "../model/plain.js";
import { recentSales } from "../model/reports.js";
import { picture } from "../picker.js";
import { say, sayOf } from "../words/words.js";

/** @import { Bundle, Sales, View } from "../types.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @typedef {{ fromPrice: string | null, discountSummary: string | null }} Offer */
/** @typedef {{ text: Element, summary: Element, price: Element }} CardParts the parts of a card that show what was read later */

/**
 * The state of a bundle in the list: "live", "changed", "new", "scheduled", "ended" or "hidden".
 *
 * @param {Workspace} workspace
 * @param {Bundle} bundle
 */
export function stateOf(workspace, bundle) {
  const live = workspace.liveBundle(bundle.id);
  if (!live) return "new";
  if (!isSame(live, bundle)) return "changed";
  if (bundle.published === false) return "hidden";
  const now = workspace.localTime(new Date().toISOString());
  if (bundle.publishedFrom && bundle.publishedFrom > now) return "scheduled";
  if (bundle.publishedUntil && bundle.publishedUntil <= now) return "ended";
  return "live";
}

/** @param {Workspace} workspace @returns {View} */
export function bundlesView(workspace) {
  const list = el("ul.bundle-cards", { "aria-label": say("bundles") });
  const rest = el("section.rest-of-file", { "aria-labelledby": "rest-of-file" });
  const search = el("input", {
    id: "bundle-search",
    type: "search",
    placeholder: say("search-bundles"),
    "aria-label": say("search-bundles"),
    input: () => draw(),
  });
  /** @type {ReadonlyMap<number, Offer>} */
  let offers = new Map();
  /** @type {ReadonlyMap<number, Sales>} */
  let sales = new Map();
  /** @type {Map<number, CardParts>} */
  const cards = new Map();

  async function readSales() {
    if (!workspace.mayReport) return;
    sales = await recentSales().catch(() => new Map());
    fillCards();
  }

  async function readOffers() {
    offers = await offersOf(workspace).catch(() => new Map());
    fillCards();
  }

  /**
   * Fills the cards with what has been read. The cards are not replaced, because a click on a card would be lost if it
   * were replaced in the meantime.
   */
  function fillCards() {
    for (const [id, { text, summary, price }] of cards) {
      const offer = offers.get(id);
      summary.textContent = offer?.discountSummary ?? workspace.bundle(id)?.description ?? "";
      price.textContent = offer?.fromPrice ? say("from", { price: money(offer.fromPrice, workspace.currency) }) : "";
      text.querySelector(".sold")?.remove();
      text.append(...soldPart(sales.get(id)));
    }
  }

  function draw() {
    cards.clear();
    const text = search.value.trim().toLowerCase();
    const shown = workspace.content.bundles.filter(({ name }) => name.toLowerCase().includes(text));
    if (shown.length) redraw(list, shown.map(card));
    else redraw(list, [el("li.empty", { text: text ? say("no-bundles-found") : sayEmpty() })]);
    fillCards();
    redraw(rest, restOfFile());
  }

  function sayEmpty() {
    return workspace.file ? say("file-no-bundles") : say("no-bundles");
  }

  /** The findings about a bundle of the file. @param {Bundle} bundle */
  function found(bundle) {
    return findingsOf(workspace.file?.findings ?? [], bundle, workspace);
  }

  /** The findings about other parts of the file. */
  function restOfFile() {
    const inBundles = new Set(workspace.content.bundles.flatMap((bundle) => found(bundle).map(({ path }) => path)));
    const others = (workspace.file?.findings ?? []).filter(({ path }) => !inBundles.has(path));
    return others.length ? [el("h2", { id: "rest-of-file", text: say("file-rest") }), findingList(others)] : [];
  }

  function card(/** @type {Bundle} */ bundle) {
    const state = stateOf(workspace, bundle);
    const findings = found(bundle);
    const summary = el("p.soft");
    const price = el("span.price");
    const text = el(
      "div.bundle-text",
      {},
      el("h2", {}, el("a.cover", { href: `#/bundles/${bundle.id}`, id: `bundle-${bundle.id}`, text: bundle.name })),
      summary,
      el(
        "p.bundle-end",
        {},
        el(
          "span.row",
          {},
          el("span.tag", { "data-state": state, text: sayOf("state", state) }),
          findings.length > 0 &&
            el("span.tag", { "data-severity": worstOf(findings), text: countedFindings(findings) }),
        ),
        price,
      ),
    );
    cards.set(bundle.id, { text, summary, price });
    return el(
      "li.bundle-card",
      {},
      picture(bundle.imageUrl),
      text,
      workspace.mayWrite &&
        el(
          "div.card-tools",
          {},
          iconButton("copy", say("duplicate", { name: bundle.name }), () => duplicate(bundle), {
            id: `copy-${bundle.id}`,
          }),
          iconButton("trash", say("delete", { name: bundle.name }), () => remove(bundle), {
            id: `remove-${bundle.id}`,
          }),
        ),
    );
  }

  async function duplicate(/** @type {Bundle} */ bundle) {
    const made = await duplicateBundle(workspace, bundle.id);
    announce(say("was-duplicated", { name: bundle.name }));
    location.hash = `#/bundles/${made.id}`;
  }

  async function remove(/** @type {Bundle} */ bundle) {
    const text = say("delete-text", { name: bundle.name });
    if (!(await confirmed(say("delete", { name: bundle.name }), text, say("delete-it")))) return;
    await removeBundle(workspace, bundle.id);
    announce(say("was-deleted", { name: bundle.name }));
  }

  const follow = () => {
    draw();
    readOffers();
  };
  workspace.addEventListener("changed", follow);
  workspace.addEventListener("saved", follow);
  draw();
  readOffers();
  readSales();
  const nodes = [
    el(
      "div.view-head",
      {},
      el("h1", { id: "title", tabindex: -1, text: say("bundles") }),
      el("div.search", {}, icon("search"), search),
      workspace.mayWrite && el("a.primary", { href: "#/new", id: "new" }, icon("add"), say("new-bundle")),
    ),
    list,
    rest,
  ];
  return {
    title: say("bundles"),
    nodes,
    end: () => {
      workspace.removeEventListener("changed", follow);
      workspace.removeEventListener("saved", follow);
    },
  };
}

/** The recent sales of a bundle, in the currencies in which it was sold; nothing without sales. @param {Sales | undefined} sales */
function soldPart(sales) {
  if (!sales?.sold) return [];
  const amounts = sales.money.map(({ revenue, currency }) => money(revenue, currency));
  return [el("p.soft.sold", { text: say("sold", { count: sales.sold, amounts: listed(amounts) }) })];
}

/** The offers of the draft's bundles, by their ids. @param {Workspace} workspace @returns {Promise<Map<number, Offer>>} */
async function offersOf(workspace) {
  const client = draftClient(workspace);
  /** @type {Map<number, Offer>} */
  const offers = new Map();
  /** @type {string | null} */
  let cursor = "";
  while (cursor !== null) {
    /** @type {import("../../../storefront/client/client.js").BundleList<import("../../../storefront/client/client.js").BundleOffer>} */
    const { bundles, next } = await client.listBundles({ include: "offer", ...(cursor ? { cursor } : {}) });
    for (const { id, fromPrice, discountSummary } of bundles) offers.set(id, { fromPrice, discountSummary });
    cursor = next;
  }
  return offers;
}
