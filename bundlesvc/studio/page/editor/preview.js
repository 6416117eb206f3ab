/** The preview: the web component over the draft, as shoppers would see it. */

import { el, icon } from "../dom.js";
import { draftAddress, NO_KEY } from "../model/draft-client.js";
import { money, nameOf } from "../model/money.js";
import { say } from "../words/words.js";
import "/storefront/bundle-builder.js";

/** @import { Editing } from "./editing.js" */

const DESKTOP = 1100;

/** @param {Editing} editing */
export function preview({ doc, workspace }) {
  const builder = el("bundle-builder", { id: "builder", "api-key": NO_KEY, "bundle-id": doc.id });
  const frame = el("div.frame", { "data-width": "phone" }, el("p.soft", { text: say("reading") }));
  const country = choices("country", say("country"), [
    ["", say("elsewhere")],
    ...workspace.content.markets.map(({ countryCode }) => [countryCode, nameOf("region", countryCode)]),
  ]);
  const tags = () => [
    workspace.locale,
    ...new Set([...workspace.languages, ...Object.keys(doc.now.translations ?? {})]),
  ];
  const lang = choices("lang", say("language"), []);
  fillLanguages();

  const widths = el(
    "div.segments",
    { role: "group", "aria-label": say("preview-width") },
    ...["phone", "desktop"].map((width) =>
      el(
        "button",
        {
          type: "button",
          id: `width-${width}`,
          "aria-pressed": String(width === "phone"),
          click: () => show(width),
        },
        icon(/** @type {"phone" | "desktop"} */ (width)),
        say(/** @type {"phone" | "desktop"} */ (width)),
      ),
    ),
  );

  function fillLanguages() {
    const now = lang.value || workspace.locale;
    lang.replaceChildren(
      ...tags().map((tag) => el("option", { value: tag, text: nameOf("language", tag), selected: tag === now })),
    );
  }

  function setUp() {
    for (const select of [country, lang]) {
      if (select.value) builder.setAttribute(select.name, select.value);
      else builder.removeAttribute(select.name);
    }
  }

  function show(/** @type {string} */ width) {
    frame.dataset["width"] = width;
    for (const button of widths.children) button.setAttribute("aria-pressed", String(button.id === `width-${width}`));
    fit();
  }

  /** A desktop's width does not fit beside the editor: it is shown smaller. */
  function fit() {
    const isDesktop = frame.dataset["width"] === "desktop";
    const room = node.clientWidth - 32;
    builder.style.setProperty("width", isDesktop ? `${DESKTOP}px` : "");
    builder.style.setProperty("zoom", isDesktop && room > 0 ? String(Math.min(1, room / DESKTOP)) : "");
  }

  const told = el("p.preview-told", { role: "status" });
  builder.addEventListener("bundle:addtocart", (event) => {
    const { pricing } = /** @type {CustomEvent} */ (event).detail.result;
    told.textContent = say("would-be-bought", { price: money(pricing.discountedPrice, pricing.currency) });
  });
  builder.addEventListener("bundle:change", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.selection.items.length) told.textContent = "";
  });

  const node = el(
    "section.preview",
    { "aria-labelledby": "preview-title" },
    el(
      "header.preview-head",
      {},
      el("h2", { id: "preview-title", text: say("preview") }),
      widths,
      el("div.preview-choices", {}, country, lang),
    ),
    told,
    frame,
  );
  new ResizeObserver(fit).observe(node);
  setUp();
  return {
    node,
    /** Shows what is saved by now. */
    follow: () => {
      builder.setAttribute("base-url", draftAddress(workspace));
      fillLanguages();
      setUp();
      if (!builder.isConnected) frame.replaceChildren(builder);
    },
  };

  /** @param {string} name @param {string} label @param {string[][]} options */
  function choices(name, label, options) {
    const select = el(
      "select.small",
      { id: `preview-${name}`, name, "aria-label": label, change: setUp },
      ...options.map(([value, text]) => el("option", { value, text })),
    );
    return select;
  }
}
