/** The A/B test of a bundle: each visitor sees one of its arms. */

import { el, icon, iconButton } from "../dom.js";
import { visitorsOf } from "../model/reports.js";
import { percent } from "../model/money.js";
import { language, say } from "../words/words.js";
import { turnOnFirst } from "./features.js";

/** @import { Child } from "../dom.js" */
/** @import { Arm, Bundle, Experiment } from "../types.js" */
/** @import { Workspace } from "../model/workspace.js" */
/** @import { Editing } from "./editing.js" */

/** @param {Editing} editing @returns {Child[]} */
export function arms(editing) {
  const { doc, workspace } = editing;
  const test = testOf(workspace, doc.id);
  const content = test ? running(editing, test) : idle(editing);
  return test ? turnOnFirst(editing, "ab-testing", () => content) : content;
}

/** The A/B test in which this bundle is the first arm. @param {Workspace} workspace @param {number} bundleId */
export function testOf(workspace, bundleId) {
  return workspace.content.experiments.find((test) => test.bundleId === bundleId);
}

/** The bundles that can become an arm. @param {Editing} editing @param {readonly Arm[]} taken @returns {Bundle[]} */
function free({ doc, workspace }, taken) {
  const named = new Set([doc.id, ...taken.map(({ bundleId }) => bundleId)]);
  return workspace.content.bundles.filter(({ id }) => !named.has(id));
}

/** @param {Editing} editing @returns {Child[]} */
function idle(editing) {
  const { doc, workspace } = editing;
  const [other] = free(editing, []);
  if (!other) return [el("p.soft", { text: say("arms-no-bundle") })];
  const start = () => {
    const ids = new Set(workspace.content.experiments.map(({ id }) => id));
    let id = `test-${doc.id}`;
    while (ids.has(id)) id += "b";
    const both = [doc.id, other.id].map((bundleId) => ({ bundleId, weight: 1 }));
    return doc.changeTest(undefined, { id, bundleId: doc.id, arms: both });
  };
  return [el("button.quiet", { type: "button", id: "start-test", click: start }, icon("add"), say("start-test"))];
}

/** @param {Editing} editing @param {Experiment} test @returns {Child[]} */
function running(editing, test) {
  const { doc, workspace } = editing;
  const all = test.arms ?? [];
  const put = (/** @type {readonly Arm[]} */ changed) => doc.changeTest(test, { ...test, arms: changed });
  const others = free(editing, all);
  const total = all.reduce((sum, { weight }) => sum + Number(weight), 0);
  const add = () => others[0] && put([...all, { bundleId: others[0].id, weight: 1 }]);
  return [
    nameField(editing, test),
    el("p.soft", { text: say("arm-weights") }),
    el("ol.products", { "aria-label": say("arms") }, ...all.map(row)),
    el(
      "div.row",
      {},
      others.length > 0 &&
        el("button.quiet", { type: "button", id: "add-arm", click: add }, icon("add"), say("add-arm")),
      el("button.quiet", {
        type: "button",
        id: "end-test",
        text: say("end-test"),
        click: () => doc.changeTest(test, undefined),
      }),
    ),
  ];

  function row(/** @type {Arm} */ arm, /** @type {number} */ place) {
    const name = workspace.bundle(arm.bundleId)?.name || `#${arm.bundleId}`;
    const change = (/** @type {Partial<Arm>} */ part) => put(all.with(place, { ...arm, ...part }));
    const weight = el("input.short", {
      type: "number",
      inputmode: "decimal",
      id: `arm-weight-${place}`,
      min: 0.01,
      step: "any",
      value: Number(arm.weight),
      "aria-label": say("weight-of", { name }),
      change: () => weight.value && weight.validity.valid && change({ weight: Number(weight.value) }),
    });
    return el(
      "li.product-row",
      { "data-path": `arms.${place}` },
      place === 0 ? el("span.product-name", { text: say("arm-original", { name }) }) : bundleChoice(arm, place, change),
      weight,
      el("span.soft", { text: percent(String(Math.round((1000 * Number(arm.weight)) / total) / 10)) }),
      place > 0 &&
        iconButton("close", say("remove", { name }), () => put(all.toSpliced(place, 1)), { id: `remove-arm-${place}` }),
    );
  }

  /** @param {Arm} arm @param {number} place @param {(part: Partial<Arm>) => unknown} change */
  function bundleChoice(arm, place, change) {
    const own = workspace.bundle(arm.bundleId);
    const select = el(
      "select.product-name",
      {
        id: `arm-bundle-${place}`,
        "aria-label": say("arm-bundle"),
        change: () => change({ bundleId: Number(select.value) }),
      },
      ...[...(own ? [own] : []), ...others].map(({ id, name }) =>
        el("option", { value: id, text: name || `#${id}`, selected: id === arm.bundleId }),
      ),
    );
    return select;
  }
}

/**
 * The field for the name of a test, under which the test's visitors are counted.
 *
 * @param {Editing} editing
 * @param {Experiment} test
 */
function nameField({ doc, workspace }, test) {
  const fault = el("p.fault", { role: "alert", id: "test-name-fault" });
  const input = el("input", {
    id: "test-name",
    type: "text",
    required: true,
    maxlength: 255,
    value: test.id,
    "aria-describedby": "test-name-hint",
    change: async () => {
      const name = input.value.trim();
      const reason = name === test.id ? "" : await whyNotCalled(workspace, test, name);
      fault.textContent = reason;
      if (reason) input.value = test.id;
      else if (name !== test.id) doc.changeTest(test, { ...test, id: name });
    },
  });
  return el(
    "div.field",
    {},
    el("label", { for: "test-name", text: say("test-name") }),
    el("p.hint", { id: "test-name-hint", text: say("test-name-hint") }),
    input,
    fault,
  );
}

/**
 * The reason why a test cannot have a name; "" if it can.
 *
 * @param {Workspace} workspace
 * @param {Experiment} test
 * @param {string} name
 */
async function whyNotCalled(workspace, test, name) {
  if (!name) return say("test-name-empty");
  const others = [...workspace.content.experiments, ...workspace.live.experiments].filter(({ id }) => id !== test.id);
  if (others.some(({ id }) => id === name)) return say("test-name-taken", { name });
  const visitors = await visitorsOf(workspace, test.id);
  if (visitors === undefined) return say("test-name-unknown");
  return visitors > 0 ? say("test-name-counted", { visitors: visitors.toLocaleString(language()) }) : "";
}
