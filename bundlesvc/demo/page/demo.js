/** The demo storefront: fetches the shop and shows the view in the address. */

import { setNetwork } from "./network.js"; // comes first: the modules below send requests to the service
import { Address } from "./address.js";
import { CartStore } from "./cart.js";
import { moveCart } from "./cart-country.js";
import { announce, h, part } from "./dom.js";
import { Drawer } from "./drawer.js";
import { edited, openSelection, updateShareLink } from "./editing.js";
import { setMoney } from "./money.js";
import { orderPage } from "./order-page.js";
import { Panel } from "./panel.js";
import { Preferences } from "./preferences.js";
import { LINKS, baseUrl, bundleOf, bundlePage, home, setUpBuilder, setUpLinks, setUpPrices, showArm } from "./views.js";
import { describeBundle, describeList, describeNothing } from "./structured-data.js";
import { say, speak } from "./words.js";
import { createClient } from "/storefront/client/client.js";
import "/storefront/bundle-builder.js";

/** @typedef {import("./address.js").State} State */
/** @typedef {import("./types.js").Shop} Shop */
/** @typedef {import("./types.js").ShopData} ShopData */

const address = new Address();
const store = new CartStore();
const drawer = new Drawer(store, address);
const preferences = [...document.querySelectorAll(".preferences")].map((place) => new Preferences(place, address));
/** @type {Shop} */
let shop;
/** The state that the page shows; null while it shows an error. @type {State | null} */
let drawn = null;

setNetwork(address.state.network);
try {
  shop = await readShop(address.state);
  new Panel(address, shop).update();
  draw();
  address.onChange(follow);
} catch (error) {
  fail(error);
}

/** Fetches the shop in the chosen language, or in the browser's language by default. @returns {Promise<Shop>} */
async function readShop(/** @type {State} */ state) {
  const lang = state.lang || navigator.language;
  const response = await fetch(`/demo/shop.json?${new URLSearchParams({ lang })}`);
  const body = /** @type {ShopData & { error?: string }} */ (await response.json());
  if (!response.ok) throw new Error(body.error);
  const client = createClient({ baseUrl: baseUrl(body), apiKey: body.apiKey });
  const { bundles } = await client.listBundles({ lang: body.locale, include: "offer" });
  return { ...body, bundles, client };
}

/** Draws the whole page. */
function draw() {
  drawn = address.state;
  setMoney(shop.settings, shop.locale);
  speak(shop.locale);
  part("brand").textContent = shop.shop.name;
  part("main").replaceChildren(...view(drawn));
  for (const each of preferences) each.draw(shop);
  setUp();
  if (drawn.bundle || drawn.order) describeNothing();
  else describeList(shop, address);
  setTitle(part("title").textContent);
  drawer.draw(shop);
}

function view(/** @type {State} */ { order, bundle }) {
  if (order) return orderPage(shop, order);
  return bundle ? bundlePage(shop, bundle, address) : home(shop);
}

/** Applies the state to the drawn page. */
function setUp() {
  setUpLinks(address);
  setUpPrices(shop, address);
  setUpBuilder(shop, address);
  for (const each of preferences) each.update();
  openSelection(store, address);
  moveCart(store, shop.client, address.state.country).catch(fail);
}

function setTitle(/** @type {string} */ title) {
  document.title = `${title} · ${shop.shop.name}`;
}

function fail(/** @type {unknown} */ error) {
  const { message } = /** @type {Error} */ (error);
  drawn = null;
  describeNothing();
  part("main").replaceChildren(h("div.message", { role: "alert" }, h("h1", { id: "title", text: message })));
}

async function follow(/** @type {State} */ now) {
  setNetwork(now.network);
  try {
    const read = now.lang === drawn?.lang ? shop : await readShop(now);
    if (now === address.state) show(read); // otherwise the state has changed since
  } catch (error) {
    fail(error);
  }
}

/** Shows the state in the address. `read` is the shop in the language of that state. */
function show(/** @type {Shop} */ read) {
  const isElsewhere = address.state.bundle !== drawn?.bundle || address.state.order !== drawn?.order;
  const isOther = read !== shop || isElsewhere;
  shop = read;
  if (isOther) draw();
  else setUp();
  if (isElsewhere) part("title").focus({ preventScroll: true });
}

/** Links within the shop change only the address. The browser handles links that open a new tab or window. */
document.addEventListener("click", (event) => {
  /** @type {HTMLElement | null} */
  const link = /** @type {HTMLElement} */ (event.target).closest(LINKS);
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  address.go({ bundle: bundleOf(link), edit: "", order: "", cart: false });
  window.scrollTo({ top: 0, behavior: "instant" });
});

document.addEventListener("bundle:ready", ({ detail: { bundle } }) => {
  showArm(bundle);
  describeBundle(shop, address, bundle);
  setTitle(bundle.name);
});

document.addEventListener("bundle:change", ({ detail }) => {
  updateShareLink(address, detail.selection);
});

document.addEventListener("bundle:addtocart", ({ detail }) => {
  store.add(detail, address.state, edited(store, address));
  address.set({ cart: true, edit: "" });
  announce(say("added", { title: detail.bundle.name }));
});
