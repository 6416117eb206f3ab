// A storefront as a shop's developer writes it: the web component, and a cart of the platform's Storefront API.

const STOREFRONT = "/api/2026-07/graphql.json";
const CART = "id checkoutUrl attributes { key value } cost { totalAmount { amount currencyCode } }";
const RESULT = `cart { ${CART} } userErrors { code message }`;
const DOCUMENTS = {
  cartCreate: `mutation($input: CartInput) { cartCreate(input: $input) { ${RESULT} } }`,
  cartLinesAdd: `mutation($cartId: ID!, $lines: [CartLineInput!]!) { cartLinesAdd(cartId: $cartId, lines: $lines) { ${RESULT} } }`,
  cartAttributesUpdate: `mutation($cartId: ID!, $attributes: [AttributeInput!]!) {
    cartAttributesUpdate(cartId: $cartId, attributes: $attributes) { ${RESULT} } }`,
};

const chosen = new URLSearchParams(location.search);
const settings = { ...(await (await fetch("/settings.json")).json()), ...Object.fromEntries(chosen) };
const form = document.querySelector("#choice");
const base = `${settings.service}/api/headless/v1`;
let cart = null;

try {
  await import(`${settings.service}/storefront/bundle-builder.js`);
  const { priceFormatter } = await import(`${settings.service}/storefront/client/client.js`);
  const { toStorefrontCart } = await import(`${settings.service}/storefront/cart/cart.js`);
  const showCart = ({ checkoutUrl, cost: { totalAmount } }, { result, bundle }) => {
    const amounts = new Intl.NumberFormat("en", { style: "currency", currency: totalAmount.currencyCode });
    const { discountedPrice, currency } = result.presentment ?? result.pricing;
    const promised = priceFormatter(bundle.settings, "en")(discountedPrice, currency);
    document.querySelector("#bundle").textContent = bundle.name;
    document.querySelector("[data-testid=promised]").textContent = promised;
    document.querySelector("[data-testid=cart-total]").textContent = amounts.format(totalAmount.amount);
    document.querySelector("#checkout").href = checkoutUrl;
    document.querySelector("#cart").hidden = false;
  };
  await offer();
  addEventListener("bundle:addtocart", ({ detail }) => {
    buy(toStorefrontCart(cart, detail)).then((cart) => showCart(cart, detail), say);
  });
} catch (error) {
  say(new Error(`The service at ${settings.service} does not respond: ${error.message}`));
}

/** Shows the bundles of the shop, and the chosen one. */
async function offer() {
  const response = await fetch(`${base}/bundles`, { headers: { Authorization: `Bearer ${settings.key}` } });
  for (const { id, name } of await response.json()) form.bundle.add(new Option(name, id));
  for (const country of (settings.countries ?? "").split(",").filter(Boolean)) form.country.add(new Option(country));
  form.bundle.value = chosen.get("bundle") ?? form.bundle.options[0].value;
  form.country.value = chosen.get("country") ?? "";
  form.addEventListener("change", show);
  form.country.addEventListener("change", () => (cart = null));
  show();
}

function show() {
  const builder = document.createElement("bundle-builder");
  const attributes = { "base-url": base, "api-key": settings.key, "bundle-id": form.bundle.value, country: form.country.value };
  for (const [name, value] of Object.entries(attributes)) if (value) builder.setAttribute(name, value);
  document.querySelector("#builder").replaceChildren(builder);
}

/** Puts a configured bundle into the cart: attributes first, so that no line is ever without its discount. */
async function buy({ lines, attributes }) {
  const buyerIdentity = form.country.value ? { countryCode: form.country.value } : undefined;
  if (cart) {
    await send("cartAttributesUpdate", { cartId: cart.id, attributes });
    cart = await send("cartLinesAdd", { cartId: cart.id, lines });
  } else cart = await send("cartCreate", { input: { lines, attributes, buyerIdentity } });
  return cart;
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
