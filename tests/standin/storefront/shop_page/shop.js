// A storefront as a shop's developer writes it: the web component, and a cart of the platform's Storefront API.

const STOREFRONT = "/api/2026-07/graphql.json";
const LINES = "lines(first: 250) { nodes { id quantity attributes { key value } } }";
const CART = `id checkoutUrl attributes { key value } cost { totalAmount { amount currencyCode } } ${LINES}`;
const RESULT = `cart { ${CART} } userErrors { code message }`;
const DOCUMENTS = {
  cartCreate: `mutation($input: CartInput) { cartCreate(input: $input) { ${RESULT} } }`,
  cartLinesAdd: `mutation($cartId: ID!, $lines: [CartLineInput!]!) { cartLinesAdd(cartId: $cartId, lines: $lines) { ${RESULT} } }`,
  cartAttributesUpdate: `mutation($cartId: ID!, $attributes: [AttributeInput!]!) {
    cartAttributesUpdate(cartId: $cartId, attributes: $attributes) { ${RESULT} } }`,
  cartLinesRemove: `mutation($cartId: ID!, $lineIds: [ID!]!) { cartLinesRemove(cartId: $cartId, lineIds: $lineIds) { ${RESULT} } }`,
  cartBuyerIdentityUpdate: `mutation($cartId: ID!, $buyerIdentity: CartBuyerIdentityInput!) {
    cartBuyerIdentityUpdate(cartId: $cartId, buyerIdentity: $buyerIdentity) { ${RESULT} } }`,
};

const chosen = new URLSearchParams(location.search);
const settings = { ...(await (await fetch("/settings.json")).json()), ...Object.fromEntries(chosen) };
const form = document.querySelector("#choice");
const base = `${settings.service}/api/headless/v1`;
let cart = null;
/** Makes changes to the cart run one after another. */
let changes = Promise.resolve();

try {
  await import(`${settings.service}/storefront/bundle-builder.js`);
  const { priceFormatter } = await import(`${settings.service}/storefront/client/client.js`);
  const { moveInStorefrontCart, toStorefrontCart } = await import(`${settings.service}/storefront/cart/cart.js`);
  const showCart = ({ checkoutUrl, cost: { totalAmount } }, { result, bundle }) => {
    const amounts = new Intl.NumberFormat("en", { style: "currency", currency: totalAmount.currencyCode });
    const { discountedPrice, currency } = result.presentment ?? result.pricing;
    const promised = priceFormatter(bundle.settings, "en")(discountedPrice, currency);
    document.querySelector("#bundle").textContent = bundle.name;
    const shown = document.querySelector("[data-testid=promised]");
    shown.textContent = promised;
    shown.dataset.configured = result.configured_bundle_id;
    document.querySelector("[data-testid=cart-total]").textContent = amounts.format(totalAmount.amount);
    document.querySelector("#checkout").href = checkoutUrl;
    document.querySelector("#cart").hidden = false;
  };
  await offer();
  const change = (steps) => (changes = changes.then(steps).catch(say));
  addEventListener("bundle:addtocart", ({ detail }) => {
    change(async () => showCart(await buy(toStorefrontCart(cart, detail)), detail));
  });
  addEventListener("bundle:moved", ({ detail: { moved, kept } }) => {
    change(async () => {
      const { bundle } = document.querySelector("bundle-builder");
      for (const one of moved)
        showCart(await replace(moveInStorefrontCart(cart, { ...one, bundle })), { ...one, bundle });
      if (kept.length) say(kept[0].error);
    });
  });
} catch (error) {
  say(new Error(`The service at ${settings.service} does not respond: ${error.message}`));
}

/** Lists the bundles of the shop, and shows the chosen bundle. */
async function offer() {
  const response = await fetch(`${base}/bundles`, { headers: { Authorization: `Bearer ${settings.key}` } });
  for (const { id, name } of await response.json()) form.bundle.add(new Option(name, id));
  for (const country of (settings.countries ?? "").split(",").filter(Boolean)) form.country.add(new Option(country));
  form.bundle.value = chosen.get("bundle") ?? form.bundle.options[0].value;
  form.country.value = chosen.get("country") ?? "";
  form.addEventListener("change", show);
  form.country.addEventListener("change", () => {
    const buyerIdentity = { countryCode: form.country.value || null };
    if (cart)
      changes = changes.then(() => send("cartBuyerIdentityUpdate", { cartId: cart.id, buyerIdentity })).then(keep, say);
  });
  show();
}

/** Stores the current cart. The bundles in it follow the country of the component. */
function keep(changed) {
  cart = changed;
  document.querySelector("bundle-builder").cartItems = cart.lines.nodes;
  return cart;
}

function show() {
  const builder = document.createElement("bundle-builder");
  const attributes = {
    "base-url": base,
    "api-key": settings.key,
    "bundle-id": form.bundle.value,
    country: form.country.value,
  };
  for (const [name, value] of Object.entries(attributes)) if (value) builder.setAttribute(name, value);
  if (cart) builder.cartItems = cart.lines.nodes;
  document.querySelector("#builder").replaceChildren(builder);
}

/** Puts a configured bundle into the cart: attributes first, so that no line is ever in it without its discount. */
async function buy({ lines, attributes }) {
  const buyerIdentity = form.country.value ? { countryCode: form.country.value } : undefined;
  if (cart) {
    await send("cartAttributesUpdate", { cartId: cart.id, attributes });
    return keep(await send("cartLinesAdd", { cartId: cart.id, lines }));
  }
  return keep(await send("cartCreate", { input: { lines, attributes, buyerIdentity } }));
}

async function replace({ lineIds, ...bundle }) {
  cart = await send("cartLinesRemove", { cartId: cart.id, lineIds });
  return buy(bundle);
}

async function send(name, variables) {
  const body = JSON.stringify({ query: DOCUMENTS[name], variables });
  const response = await fetch(STOREFRONT, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors.map(({ message }) => message).join(" "));
  const { cart: changed, userErrors } = data[name];
  if (userErrors.length) throw new Error(userErrors.map(({ message }) => message).join(" "));
  return changed;
}

function say(error) {
  document.querySelector("#message").textContent = error.message;
}
