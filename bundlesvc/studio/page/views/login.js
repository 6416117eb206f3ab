/** The login: exchanges a management key for a session. */

import { el } from "../dom.js";
import { ApiError, send } from "../model/api.js";
import { say, sayOf } from "../words/words.js";

/** @import { SessionInfo, View } from "../types.js" */

/**
 * @param {boolean} offersDemo
 * @param {(session: SessionInfo) => void} then
 * @returns {View}
 */
export function loginView(offersDemo, then) {
  const fault = el("p.fault", { id: "login-fault", role: "alert" });
  const key = el("input", {
    id: "key",
    type: "password",
    autocomplete: "current-password",
    required: true,
    spellcheck: "false",
    "aria-describedby": "key-hint login-fault",
  });

  async function open(/** @type {string} */ path, /** @type {unknown} */ body) {
    fault.textContent = "";
    try {
      then((await send(path, { method: "POST", body })).body.session);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const own = sayOf("login", error.code);
      fault.textContent = own === error.code ? error.message || say("login-failed") : own;
      key.focus();
    }
  }

  const form = el(
    "form.login-form",
    {
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        open("/session", { key: key.value.trim() });
      },
    },
    el("label", { for: "key", text: say("key") }),
    el("p.hint", { id: "key-hint", text: say("key-hint") }),
    key,
    fault,
    el("button.primary", { type: "submit", text: say("log-in") }),
    offersDemo &&
      el("button.quiet", { type: "button", text: say("demo-log-in"), click: () => open("/demo-session", undefined) }),
  );
  const mark = el("img.login-mark", { src: "/studio/page/favicon.svg", alt: "" });
  const nodes = [
    el("div.login", {}, mark, el("h1", { text: say("login-title") }), el("p.lead", { text: say("login-lead") }), form),
  ];
  return { title: say("log-in"), nodes };
}
