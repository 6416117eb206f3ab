/** What the element shows while there is no bundle: a placeholder, or the reason. */

import { wordsOf } from "../words.js";
import { h } from "./dom.js";

/** @import { Problem } from "../../bundle-builder.js" */
/** @import { Words } from "../types.js" */

/** The texts to show until the service has sent its own. */
const FIRST = {
  en: {
    loading: "Loading …",
    retry: "Try again",
    again: "This page will try again by itself.",
    error: "Something went wrong.",
    "error-offline": "You seem to be offline.",
    "error-unreachable": "This shop is not answering.",
    "error-403":
      "This shop cannot be reached from here. Its owner should check the API key, and whether it allows {origin}.",
    "error-404": "This bundle is not available.",
    "error-429": "Too many requests. Please wait a moment.",
  },
  de: {
    loading: "Wird geladen …",
    retry: "Noch einmal versuchen",
    again: "Die Seite versucht es gleich von selbst noch einmal.",
    error: "Etwas ist schiefgegangen.",
    "error-offline": "Du bist offenbar offline.",
    "error-unreachable": "Dieser Shop antwortet nicht.",
    "error-403":
      "Dieser Shop ist von hier nicht erreichbar. Sein Betreiber sollte prüfen, ob der API-Schlüssel gilt und {origin} zulässt.",
    "error-404": "Dieses Paket ist nicht erhältlich.",
    "error-429": "Zu viele Anfragen. Bitte warte einen Moment.",
  },
};

/** @param {string | undefined} language */
export function firstWords(language) {
  return wordsOf(FIRST[/^de\b/i.test(language ?? "") ? "de" : "en"]);
}

/**
 * A placeholder of about the size of a bundle, so that the page does not jump.
 *
 * @param {Words} words
 */
export function skeleton({ say }) {
  const cards = Array.from({ length: 6 }, () => h("li.card.ghost"));
  const grid = h("ul.grid", { "aria-hidden": "true" }, cards);
  return h("div.builder.waiting", {}, h("p.vh", { role: "status", text: say("loading") }), h("div.ghost"), grid);
}

/**
 * Whether another attempt may help; false when the page is set up incorrectly.
 *
 * @param {Problem} problem
 */
function mayHelp({ code, status }) {
  return status === null ? code !== "page_error" : status === 429 || status >= 500 || status < 400;
}

/**
 * The reason why there is no bundle, with a button to try again if that may help.
 *
 * @param {Words} words
 * @param {Problem} problem
 * @param {() => void} retry
 * @param {boolean} isWaiting
 */
export function failure({ say, failed }, problem, retry, isWaiting) {
  const button = mayHelp(problem) && h("button.button", { text: say("retry"), onclick: retry });
  const text = [h("p", failed(problem)), isWaiting && h("p.note", say("again"))];
  return h("div.builder", {}, h("div.notice", { role: !isWaiting && "alert", tabindex: -1 }, text, button));
}
