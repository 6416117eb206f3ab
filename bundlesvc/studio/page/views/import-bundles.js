/** Bundles that exist on the shop's platform, some of which become bundles of the draft. */

import { announce, el, redraw } from "../dom.js";
import { ApiError } from "../model/api.js";
import { addBundle } from "../model/changes.js";
import { bundleFrom, platformBundles, sameContents, savingOf } from "../model/platform-bundles.js";
import { money, percent } from "../model/money.js";
import { picture } from "../picker.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { View } from "../types.js" */
/** @import { PlatformBundle } from "../model/platform-bundles.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @param {Workspace} workspace @returns {View} */
export function importBundlesView(workspace) {
  /** @type {Set<PlatformBundle>} */
  const chosen = new Set();
  /** The checkboxes of bundles that can be created and have not been imported yet. @type {Map<PlatformBundle, HTMLInputElement>} */
  const fresh = new Map();
  /** @type {Map<PlatformBundle, HTMLElement>} */
  const items = new Map();
  const list = el("ul.platform-bundles", { "aria-label": say("platform-bundles") });
  const more = el("div.row");
  const fault = el("p.fault", { role: "alert" });
  const progress = el("p.soft", { role: "status" });
  const all = el("button.quiet.small", { type: "button", id: "choose-all", click: chooseAll });
  const take = el("button.primary", { type: "button", id: "take-bundles", click: make });
  const stage = el("div.import-card", {}, el("p", { text: say("platform-bundles-text") }), all, list, more);
  tell();
  read("");
  return {
    title: say("import"),
    nodes: [
      el("div.view-head", {}, el("h1", { id: "title", tabindex: -1, text: say("import") })),
      el("div.import", {}, stage, fault, el("div.row", {}, take, progress)),
    ],
  };

  /** @param {string} after @param {boolean} [isAsked] whether by a button, which is gone then: something else gets the focus */
  async function read(after, isAsked = false) {
    redraw(more, [el("p.soft", { text: say("reading") })]);
    try {
      const { bundles, next } = await platformBundles(after);
      const added = bundles.map(item);
      list.append(...added);
      tell();
      if (!list.children.length && !next) list.append(el("li.empty", { text: say("no-platform-bundles") }));
      redraw(more, next ? [button("more-bundles", () => read(next, true))] : []);
      if (isAsked) focusFirst(added);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      const text = code.startsWith("platform_") ? sayOf("search", code) : say("not-reached");
      redraw(more, [el("p.soft", { role: "alert", text }), button("try-again", () => read(after, true))]);
      if (isAsked) more.querySelector("button")?.focus();
    }
  }

  /** @param {"more-bundles" | "try-again"} name @param {() => void} click */
  function button(name, click) {
    return el("button.quiet.small", { type: "button", id: name, text: say(name), click });
  }

  function item(/** @type {PlatformBundle} */ bundle) {
    const { title, imageUrl, components, faults } = bundle;
    const same = sameContents(bundle, workspace.content.bundles);
    const input = el("input", {
      type: "checkbox",
      id: `bundle-${bundle.platformVariantId ?? bundle.platformProductId}`,
      disabled: faults.length > 0,
      change: () => {
        choose(bundle, input.checked);
        tell();
      },
    });
    if (!faults.length && !same) fresh.set(bundle, input);
    const contents = components.map(({ title: name, quantity }) => say("component", { quantity, name })).join(", ");
    const node = el(
      "li",
      {},
      el(
        "label.platform-bundle",
        {},
        input,
        picture(imageUrl),
        el(
          "span.platform-bundle-text",
          {},
          el("span.picker-title", { text: title }),
          contents && el("span.soft", { text: contents }),
          el("span", { text: priceText(bundle) }),
          same && el("span.good", { text: say("bundle-is-there", { name: same.name }) }),
          ...faults.map((code) => el("span.fault", { text: sayOf("bundle-fault", code) })),
        ),
      ),
    );
    items.set(bundle, node);
    return node;
  }

  /** The price, and the saving compared with the components. */
  function priceText(/** @type {PlatformBundle} */ bundle) {
    const written = (/** @type {string} */ amount) => money(amount, workspace.currency);
    const price = bundle.prices.map(written).join(", ");
    if (!bundle.componentsPrice) return price;
    const { lowest, highest } = bundle.componentsPrice;
    const alone = span(written(lowest), written(highest));
    const saving = savingOf(bundle);
    if (!saving) return say("bundle-alone", { price, alone });
    return say("bundle-saving", { price, alone, saving: span(percent(saving.least), percent(saving.most)) });
  }

  /** @param {string} from @param {string} to */
  function span(from, to) {
    return from === to ? from : say("from-to", { from, to });
  }

  function choose(/** @type {PlatformBundle} */ bundle, /** @type {boolean} */ isChosen) {
    if (isChosen) chosen.add(bundle);
    else chosen.delete(bundle);
  }

  /** Whether all bundles that can be created and have not been imported yet are chosen. */
  function hasAll() {
    return [...fresh.keys()].every((bundle) => chosen.has(bundle));
  }

  function chooseAll() {
    const isChosen = !hasAll();
    for (const [bundle, input] of fresh) {
      input.checked = isChosen;
      choose(bundle, isChosen);
    }
    tell();
  }

  /** @param {readonly HTMLElement[]} added */
  function focusFirst(added) {
    const inputs = added.map((each) => each.querySelector("input"));
    (inputs.find((input) => !input?.disabled) ?? more.querySelector("button") ?? take)?.focus();
  }

  function tell() {
    all.hidden = !fresh.size;
    all.textContent = say(hasAll() ? "choose-none" : "choose-all");
    take.textContent = say("make-bundles", { things: counted(chosen.size, "bundle") });
    take.disabled = !chosen.size;
  }

  async function make() {
    take.disabled = true;
    fault.textContent = "";
    const count = chosen.size;
    for (const bundle of [...chosen]) {
      progress.textContent = say("import-progress", { done: count - chosen.size, all: count });
      try {
        await unlessLimited(() => addBundle(workspace, bundleFrom(bundle)));
        chosen.delete(bundle);
        fresh.delete(bundle);
        items.get(bundle)?.replaceWith(item(bundle));
      } catch (error) {
        fault.textContent = error instanceof ApiError && error.message ? error.message : say("not-reached");
        progress.textContent = "";
        tell();
        take.focus();
        return;
      }
    }
    const things = counted(count, "bundle");
    announce(say("were-made", { things }));
    const next = el("a.primary", { href: "#/", text: say("bundles") });
    redraw(stage, [
      el("h2", { text: say("were-made", { things }) }),
      el("p", { text: say("were-made-text") }),
      el("div.row", {}, next),
    ]);
    take.remove();
    progress.remove();
    next.focus();
  }
}

/** Does some work, and repeats it when the service asks to wait because of too many requests. @param {() => Promise<unknown>} work */
async function unlessLimited(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1000));
    }
  }
}
