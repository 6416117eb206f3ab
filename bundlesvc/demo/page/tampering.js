/** What can happen to a cart on its way to the checkout, by accident or because a shopper wants to pay less. */

/** @typedef {import("./cart.js").Cart} Cart */

/** @typedef {{ label: string, apply(cart: Cart): Cart }} Tampering */

/** @type {Readonly<Record<string, Tampering>>} */
export const TAMPERINGS = {
  attribute: {
    label: "Lose the cart attribute _bundles",
    apply: (cart) => ({ ...cart, attributes: {} }),
  },
  overwrite: {
    label: "Overwrite _bundles with the last bundle's entry",
    apply: (cart) => withEntries(cart, (entries) => entries.slice(-1)),
  },
  token: {
    label: "Change one character of the discount",
    apply: (cart) => withEntries(cart, withChangedDiscount),
  },
  quantity: {
    label: "Add one unit to the first line",
    apply: (cart) => withFirstLine(cart, (line) => [{ ...line, quantity: line.quantity + 1 }]),
  },
  line: {
    label: "Remove the first line",
    apply: (cart) => withFirstLine(cart, () => []),
  },
};

/**
 * The cart that the checkout receives.
 *
 * @param {Cart} cart
 * @param {readonly string[]} kinds
 * @returns {Cart}
 */
export function tampered(cart, kinds) {
  return kinds.reduce((changed, kind) => TAMPERINGS[kind].apply(changed), cart);
}

/** @typedef {[string, { discount: string }][]} Entries by configured bundle */

/**
 * @param {Cart} cart
 * @param {(entries: Entries) => Entries} change
 * @returns {Cart}
 */
function withEntries(cart, change) {
  if (!cart.attributes._bundles) return cart;
  const entries = change(Object.entries(JSON.parse(cart.attributes._bundles)));
  return { ...cart, attributes: { ...cart.attributes, _bundles: JSON.stringify(Object.fromEntries(entries)) } };
}

/**
 * Changes the character in the middle of the first bundle's discount. A cart of ghost variants has no entries.
 *
 * @type {(entries: Entries) => Entries}
 */
function withChangedDiscount([first, ...others]) {
  if (!first) return [];
  const [id, entry] = first;
  const place = entry.discount.length >> 1;
  const other = entry.discount[place] === "A" ? "B" : "A";
  const discount = entry.discount.slice(0, place) + other + entry.discount.slice(place + 1);
  return [[id, { ...entry, discount }], ...others];
}

/**
 * @param {Cart} cart
 * @param {(line: Cart["items"][number]) => Cart["items"][number][]} change
 * @returns {Cart}
 */
function withFirstLine({ items: [first, ...others], ...cart }, change) {
  return { ...cart, items: first ? [...change(first), ...others] : [] };
}
