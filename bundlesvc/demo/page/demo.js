/** The demo storefront: reads the shop, and shows what the address says. */

import { setNetwork } from "./network.js"; // comes first: what is loaded after it calls the service
import { Address } from "./address.js";
import { CartStore } from "./cart.js";
import { announce, h, part } from "./dom.js";
import { Drawer } from "./drawer.js";
import { setMoneyFormat } from "./money.js";
import { Panel } from "./panel.js";
import { LINKS, bundleOf, bundlePage, home, setUpBuilder, setUpLinks } from "./views.js";
import { say, speak } from "./words.js";
import "/storefront/bundle-builder.js";

/** @typedef {import("./address.js").State} State */

const address = new Address();
const store = new CartStore();
const drawer = new Drawer(store, address);
/** @type {any} what GET /demo/shop.json answers */
let shop;
/** What the page shows; null where that is a fault. @type {State | null} */
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

/** The shop in the language that was chosen, or else the browser's. */
async function readShop(/** @type {State} */ state) {
  const lang = state.lang || navigator.language;
  const answer = await fetch(`/demo/shop.json?${new URLSearchParams({ lang })}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

/** The page anew. */
function draw() {
  drawn = address.state;
  setMoneyFormat(shop.settings.moneyFormat);
  speak(shop.locale);
  part("brand").textContent = shop.shop.name;
  part("main").replaceChildren(...(drawn.bundle ? bundlePage(shop, drawn.bundle) : home(shop)));
  setUp();
  setTitle(part("title").textContent);
  drawer.update();
}

/** What is drawn, as it is switched to. */
function setUp() {
  setUpLinks(address);
  setUpBuilder(shop, address);
}

function setTitle(/** @type {string} */ title) {
  document.title = `${title} · ${shop.shop.name}`;
}

function fail(/** @type {any} */ { message }) {
  drawn = null;
  part("main").replaceChildren(h("div.message", { role: "alert" }, h("h1", { id: "title", text: message })));
}

async function follow(/** @type {State} */ now) {
  setNetwork(now.network);
  try {
    const read = now.lang === drawn?.lang ? shop : await readShop(now);
    if (now === address.state) show(read); // else it went on meanwhile
  } catch (error) {
    fail(error);
  }
}

/** The state of the address, over a shop in its language. */
function show(/** @type {any} */ read) {
  const isElsewhere = address.state.bundle !== drawn?.bundle;
  const isOther = read !== shop || isElsewhere;
  shop = read;
  if (isOther) draw();
  else setUp();
  if (isElsewhere) part("title").focus({ preventScroll: true });
}

/** Links within the shop change the address only; those that open elsewhere are the browser's. */
document.addEventListener("click", (event) => {
  /** @type {HTMLElement | null} */
  const link = /** @type {HTMLElement} */ (event.target).closest(LINKS);
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  address.go({ bundle: bundleOf(link) });
  window.scrollTo({ top: 0, behavior: "instant" });
});

document.addEventListener("bundle:ready", (event) => {
  const { bundle } = /** @type {CustomEvent} */ (event).detail;
  part("title").textContent = bundle.name; // of the arm that an A/B test chose
  setTitle(bundle.name);
});

document.addEventListener("bundle:addtocart", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  store.add(detail, address.state.country);
  address.set({ cart: true });
  announce(say("added", { title: detail.bundle.name }));
});
