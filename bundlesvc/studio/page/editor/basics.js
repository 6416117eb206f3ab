/** The panels for a bundle's name, its appearance, and how it is sold. */

import { el } from "../dom.js";
import { picture, pickProducts } from "../picker.js";
import { say } from "../words/words.js";
import { checkField, selectField, textField, timeField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Editing } from "./editing.js" */

/** @param {Editing} editing @returns {Child[]} */
export function basics(editing) {
  const { doc, workspace } = editing;
  const zone = workspace.content.shop.timezone ?? "UTC";
  return [
    textField(doc, { path: ["name"], label: say("name"), hint: say("name-hint") }),
    textField(doc, { path: ["description"], label: say("description"), hint: say("description-hint"), isLong: true }),
    el(
      "div.with-picture",
      {},
      picture(doc.now.imageUrl),
      textField(doc, { path: ["imageUrl"], label: say("picture"), hint: say("picture-hint"), placeholder: "https://" }),
    ),
    checkField(doc, { path: ["published"], label: say("published"), hint: say("published-hint"), isOn: true }),
    el(
      "details.more",
      { id: "more-times", open: Boolean(doc.now.publishedFrom || doc.now.publishedUntil) },
      el("summary", { text: say("times") }),
      el(
        "div.pair",
        {},
        timeField(doc, {
          path: ["publishedFrom"],
          label: say("published-from"),
          hint: say("published-from-hint", { zone }),
        }),
        timeField(doc, { path: ["publishedUntil"], label: say("published-until"), hint: say("published-until-hint") }),
      ),
    ),
    selectField(doc, {
      path: ["layout"],
      label: say("layout"),
      hint: say("layout-hint"),
      choices: [
        ["single-page", say("layout-single")],
        ["multiple-sections", say("layout-steps")],
      ],
    }),
    el("details.more", { id: "more-basics" }, el("summary", { text: say("how-sold") }), ...howSold(editing)),
  ];
}

/** @param {Editing} editing @returns {Child[]} */
function howSold(editing) {
  const { doc, catalogue, workspace } = editing;
  const own = doc.now.platformProductId;
  const choose = async () => {
    const [product] = await pickProducts(workspace, catalogue, { isSingle: true });
    if (!product) return;
    doc.change((bundle) => ({
      ...bundle,
      platformProductId: Number(product.platformProductId),
      parentVariantId: Number(product.variants[0]?.platformVariantId),
    }));
  };
  return [
    selectField(doc, {
      path: ["type"],
      label: say("type"),
      hint: say("type-hint"),
      choices: [
        ["native", say("type-native")],
        ["multiple-products", say("type-multiple")],
        ["single-product", say("type-single")],
      ],
    }),
    el(
      "div.field",
      { "data-path": "platformProductId" },
      el("p.label", { text: say("own-product") }),
      el("p.hint", { text: say("own-product-hint") }),
      el(
        "div.row",
        {},
        own !== undefined && el("span", { text: catalogue.title(own) }),
        el("button.quiet.small", { type: "button", id: "own-product", text: say("choose"), click: choose }),
      ),
    ),
  ];
}
