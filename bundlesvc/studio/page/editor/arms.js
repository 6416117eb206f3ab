/** The A/B test of a bundle: each visitor sees one of its arms. A test belongs to the shop, so that undo does not reach it. */

import { el, icon, iconButton } from "../dom.js";
import { percent } from "../model/money.js";
import { askAboutClashes } from "../views/clashes.js";
import { say } from "../words/words.js";
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

/** The test that starts at a bundle. @param {Workspace} workspace @param {number} bundleId */
export function testOf(workspace, bundleId) {
  return workspace.content.experiments.find((test) => test.bundleId === bundleId);
}

/** The bundles that can become an arm. @param {Editing} editing @param {readonly Arm[]} taken @returns {Bundle[]} */
function free({ doc, workspace }, taken) {
  const named = new Set([doc.id, ...taken.map(({ bundleId }) => bundleId)]);
  return workspace.content.bundles.filter(({ id }) => !named.has(id));
}

/** @param {Editing} editing @param {Experiment} test */
function store({ workspace, catalogue }, test) {
  return workspace.putExperiment(test, (clashes) => askAboutClashes(clashes, catalogue));
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
    return store(editing, { id, bundleId: doc.id, arms: both });
  };
  return [el("button.quiet", { type: "button", id: "start-test", click: start }, icon("add"), say("start-test"))];
}

/** @param {Editing} editing @param {Experiment} test @returns {Child[]} */
function running(editing, test) {
  const { workspace } = editing;
  const all = test.arms ?? [];
  const put = (/** @type {readonly Arm[]} */ changed) => store(editing, { ...test, arms: changed });
  const others = free(editing, all);
  const total = all.reduce((sum, { weight }) => sum + Number(weight), 0);
  const add = () => others[0] && put([...all, { bundleId: others[0].id, weight: 1 }]);
  return [
    el("p.soft", { text: say("test-name", { name: test.id }) }),
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
        click: () => workspace.removeExperiment(test.id),
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
