// What the tests call inside the sandbox, by name, with one argument that JSON can carry.

import { openDiscount } from "../../docs/cart-transform/src/discount.js";
import { FernetKey } from "../../docs/cart-transform/src/fernet.js";

export { cartTransformRun } from "../../docs/cart-transform/src/run.js";
export { percentageOff } from "../../docs/cart-transform/src/prices.js";
export { transform } from "../../docs/cart-transform/src/transform.js";

/** The claims of each discount string, or the reason that there are none. */
export function open({ tokens, keys }) {
  const read = keys.map(FernetKey.read).filter((key) => key);
  return tokens.map((token) => openDiscount(token, read));
}

/** Which of these names are there. */
export function globals(names) {
  return names.filter((name) => name in globalThis);
}
