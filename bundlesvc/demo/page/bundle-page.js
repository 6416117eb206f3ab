/** The page of a single bundle. The bundle that the shopper adds goes into the cart of the demo storefront. */

document.addEventListener("bundle:addtocart", async ({ target, detail }) => {
  const [{ CartStore }, { addressOf, stateOf }] = await Promise.all([import("./cart.js"), import("./address.js")]);
  const builder = /** @type {HTMLElement} */ (target);
  const country = builder.getAttribute("country") ?? "";
  const state = { ...stateOf(""), bundle: detail.bundle.id, country, lang: builder.lang };
  new CartStore().add(detail, state);
  location.assign(addressOf({ ...state, cart: true }));
});
