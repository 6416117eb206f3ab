/** The page of a preview link. The secret is after the # of the address, which browsers never send. */

import { el, part, redraw } from "../dom.js";
import { moment } from "../model/money.js";
import { previewFrame } from "../preview-frame.js";
import { language, say, sayOf } from "../words/words.js";

const SHARED = "/studio/shared";
/** Codes of permanent errors. */
const ENDINGS = ["link_unknown", "link_ended", "not_found"];

/**
 * @typedef {{
 *   shop: string, name: string, bundleId: number, locale: string, languages: string[], countries: string[],
 *   author: string, time: string, expiresAt: string, state: string,
 * }} Shared
 */

document.documentElement.lang = language();
window.addEventListener("hashchange", open);
await open();

async function open() {
  const token = location.hash.slice(1);
  redraw(part("main"), [el("p.soft.reading", { text: say("reading") })]);
  const response = await fetch(`${SHARED}/link`, {
    headers: { Accept: "application/json", Authorization: `Bearer ${token}` },
    cache: "no-store",
  }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (response?.ok) return show(body, token);
  const code = String(body?.code ?? "unreachable");
  redraw(part("main"), [
    el("h1", { text: say("shared-nothing") }),
    el("p.notice", { role: "alert", text: sayOf("shared", code) }),
    ENDINGS.includes(code) ? null : el("button.quiet", { type: "button", text: say("try-again"), click: open }),
  ]);
}

/** @param {Shared} shared @param {string} token */
function show(shared, token) {
  document.title = `${shared.name} · ${shared.shop}`;
  const frame = previewFrame({
    bundleId: shared.bundleId,
    apiKey: token,
    countries: () => shared.countries,
    locale: shared.locale,
    languages: () => shared.languages,
  });
  const until = moment(shared.expiresAt);
  const asOf = shared.time === "now" ? "" : say("shared-time", { time: moment(shared.time) });
  redraw(part("main"), [
    el("p.soft", { text: shared.shop }),
    el("h1", { text: shared.name }),
    el("p.notice", { text: `${sayOf("shared-state", shared.state)} ${asOf}` }),
    frame.node,
    el("p.soft", { text: say("shared-by", { author: shared.author, until }) }),
  ]);
  frame.show(`${location.origin}${SHARED}/preview`);
}
