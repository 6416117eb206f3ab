/** The web component in a frame with the width of a phone or a computer, for a country and a language. */

import { el, icon } from "./dom.js";
import { money, nameOf } from "./model/money.js";
import { say } from "./words/words.js";
import "/storefront/bundle-builder.js";

/** @import { Child } from "./dom.js" */

const DESKTOP = 1100;

/**
 * @param {{
 *   bundleId: number, apiKey: string, countries: () => readonly string[], locale: string, languages: () => readonly string[],
 *   buttons?: readonly Child[], choices?: readonly Child[], about?: Child,
 * }} options `languages` besides the shop's own, `locale`; `buttons` and `choices` stand in the head with those of the frame,
 *   `about` below it
 */
export function previewFrame({ bundleId, apiKey, countries, locale, languages, buttons = [], choices = [], about }) {
  const builder = el("bundle-builder", { id: "builder", "api-key": apiKey, "bundle-id": bundleId });
  const scrolled = { "data-width": "phone", role: "group", "aria-label": say("preview"), tabindex: 0 };
  const frame = el("div.frame", scrolled, el("p.soft", { text: say("reading") }));
  const country = select("country", say("country"));
  const lang = select("lang", say("language"));
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
      ...buttons,
      widths,
      el("div.preview-choices", {}, country, lang, ...choices),
    ),
    told,
    about,
    frame,
  );
  new ResizeObserver(fit).observe(node);
  return {
    node,
    /** Whether the component has been shown yet. */
    get isShown() {
      return builder.isConnected;
    },
    /** Makes the component use the API at an address. @param {string} address */
    show: (address) => {
      builder.setAttribute("base-url", address);
      fillCountries();
      fillLanguages();
      setUp();
      if (!builder.isConnected) frame.replaceChildren(builder);
    },
  };

  function fillCountries() {
    const now = country.value;
    country.replaceChildren(
      el("option", { value: "", text: say("elsewhere") }),
      ...countries().map((code) => el("option", { value: code, text: nameOf("region", code), selected: code === now })),
    );
  }

  function fillLanguages() {
    const now = lang.value || locale;
    const tags = [locale, ...languages().filter((tag) => tag !== locale)];
    lang.replaceChildren(
      ...tags.map((tag) => el("option", { value: tag, text: nameOf("language", tag), selected: tag === now })),
    );
  }

  function setUp() {
    for (const choice of [country, lang]) {
      if (choice.value) builder.setAttribute(choice.name, choice.value);
      else builder.removeAttribute(choice.name);
    }
  }

  function show(/** @type {string} */ width) {
    frame.dataset["width"] = width;
    for (const button of widths.children) button.setAttribute("aria-pressed", String(button.id === `width-${width}`));
    fit();
  }

  /** Scales the frame down when the width of a desktop does not fit. */
  function fit() {
    const isDesktop = frame.dataset["width"] === "desktop";
    const room = node.clientWidth - 32;
    builder.style.setProperty("width", isDesktop ? `${DESKTOP}px` : "");
    builder.style.setProperty("zoom", isDesktop && room > 0 ? String(Math.min(1, room / DESKTOP)) : "");
  }

  /** @param {string} name @param {string} label */
  function select(name, label) {
    return el("select.small", { id: `preview-${name}`, name, "aria-label": label, change: setUp });
  }
}
