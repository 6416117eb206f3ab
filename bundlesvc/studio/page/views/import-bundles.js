/** Bundles that the shop's platform has itself, of which some become bundles of the draft. */

import { announce, el, redraw } from "../dom.js";
import { ApiError } from "../model/api.js";
import { bundleFrom } from "../model/platform-bundles.js";
import { money } from "../model/money.js";
import { picture } from "../picker.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { View } from "../types.js" */
/** @import { PlatformBundle } from "../model/platform-bundles.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @param {Workspace} workspace @returns {View} */
export function importBundlesView(workspace) {
  /** @type {Set<PlatformBundle>} */
  const chosen = new Set();
  const list = el("ul.platform-bundles", { "aria-label": say("platform-bundles") });
  const more = el("div.row");
  const fault = el("p.fault", { role: "alert" });
  const progress = el("p.soft", { role: "status" });
  const take = el("button.primary", { type: "button", id: "take-bundles", click: make });
  const stage = el("div.import-card", {}, el("p", { text: say("platform-bundles-text") }), list, more);
  tell();
  read("");
  return {
    title: say("import"),
    nodes: [
      el("div.view-head", {}, el("h1", { id: "title", tabindex: -1, text: say("import") })),
      el("div.import", {}, stage, fault, el("div.row", {}, take, progress)),
    ],
  };

  async function read(/** @type {string} */ after) {
    redraw(more, [el("p.soft", { text: say("reading") })]);
    try {
      const { bundles, next } = await workspace.platformBundles(after);
      list.append(...bundles.map(item));
      if (!list.children.length && !next) list.append(el("li.empty", { text: say("no-platform-bundles") }));
      redraw(more, next ? [button("more-bundles", () => read(next))] : []);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      const text = code.startsWith("platform_") ? sayOf("search", code) : say("not-reached");
      redraw(more, [el("p.soft", { role: "alert", text }), button("try-again", () => read(after))]);
    }
  }

  /** @param {"more-bundles" | "try-again"} name @param {() => void} click */
  function button(name, click) {
    return el("button.quiet.small", { type: "button", id: name, text: say(name), click });
  }

  function item(/** @type {PlatformBundle} */ bundle) {
    const { platformProductId, title, imageUrl, prices, components, faults } = bundle;
    const input = el("input", {
      type: "checkbox",
      id: `bundle-${platformProductId}`,
      disabled: faults.length > 0,
      change: () => {
        if (input.checked) chosen.add(bundle);
        else chosen.delete(bundle);
        tell();
      },
    });
    const contents = components.map(({ title: name, quantity }) => say("component", { quantity, name })).join(", ");
    const price = prices.map((each) => money(each, workspace.currency)).join(", ");
    return el(
      "li",
      {},
      el(
        "label.platform-bundle",
        {},
        input,
        picture(imageUrl),
        el("span.picker-title", { text: title }),
        el("span.soft", { text: [contents, price].filter(Boolean).join(" · ") }),
        ...faults.map((code) => el("span.fault", { text: sayOf("bundle-fault", code) })),
      ),
    );
  }

  function tell() {
    take.textContent = say("make-bundles", { things: counted(chosen.size, "bundle") });
    take.disabled = !chosen.size;
  }

  async function make() {
    take.disabled = true;
    fault.textContent = "";
    const all = chosen.size;
    for (const bundle of chosen) {
      progress.textContent = say("import-progress", { done: all - chosen.size, all });
      try {
        await workspace.add(bundleFrom(bundle));
        chosen.delete(bundle);
      } catch (error) {
        fault.textContent = error instanceof ApiError && error.message ? error.message : say("not-reached");
        progress.textContent = "";
        tell();
        return;
      }
    }
    const things = counted(all, "bundle");
    announce(say("were-made", { things }));
    redraw(stage, [
      el("h2", { text: say("were-made", { things }) }),
      el("p", { text: say("were-made-text") }),
      el("div.row", {}, el("a.primary", { href: "#/", text: say("bundles") })),
    ]);
    take.remove();
    progress.remove();
  }
}
