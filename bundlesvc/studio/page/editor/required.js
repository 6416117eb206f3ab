/** Products that every selection must contain. */

import { el, icon, iconButton } from "../dom.js";
import { picture, pickProducts } from "../picker.js";
import { say } from "../words/words.js";
import { numberField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Editing } from "./editing.js" */

/** @param {Editing} editing @returns {Child[]} */
export function required(editing) {
  const { doc, catalogue, workspace } = editing;
  const all = doc.now.requiredProducts ?? [];
  const add = async () => {
    const taken = new Set(all.map((each) => String(each.platformProductId)));
    const chosen = await pickProducts(workspace, catalogue, { taken });
    if (!chosen.length) return;
    const added = chosen.map((product) => ({ platformProductId: Number(product.platformProductId), quantity: 1 }));
    doc.set(["requiredProducts"], [...(doc.now.requiredProducts ?? []), ...added]);
  };
  const rows = all.map(({ platformProductId }, place) => {
    const name = catalogue.title(platformProductId);
    const path = ["requiredProducts", place];
    return el(
      "li.product-row",
      { "data-path": path.join(".") },
      numberField(doc, {
        path: [...path, "quantity"],
        label: say("quantity-of", { name }),
        isBare: true,
        isWhole: true,
        min: 1,
      }),
      el("span.soft", { text: "×" }),
      picture(catalogue.get(platformProductId)?.imageUrl),
      el("span.product-name", { text: name }),
      iconButton("close", say("remove", { name }), () => doc.set(path, undefined), { id: `remove-required-${place}` }),
    );
  });
  return [
    el("ol.products", { "aria-label": say("required") }, ...rows),
    el("button.quiet", { type: "button", id: "add-required", click: add }, icon("add"), say("add-products")),
  ];
}
