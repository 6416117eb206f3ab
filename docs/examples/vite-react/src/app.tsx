import { decodeSelection } from "@bundlesvc/storefront";
import { moveInStorefrontCart, toStorefrontCart } from "@bundlesvc/storefront/cart";
import { BundleBuilder, useCartCountry, type Configured } from "@bundlesvc/storefront/react";
import { useState } from "react";

import { OwnDesign } from "./own-design.js";
import { client, settings } from "./settings.js";

type Added = ReturnType<typeof toStorefrontCart>;
type Cart = Pick<Added, "attributes"> & { lines: (Added["lines"][number] & { id: string })[] };

const NO_LINES: Cart["lines"] = [];
const EMBED = { api: "embed" } as const;

const parameters = new URLSearchParams(location.search);
const link = parameters.get("selection");
/** A link may contain a selection: encodeSelection creates its text. */
const shared = link ? decodeSelection(link) : undefined;

/** The ready-made component, or with ?own your own design based on the hooks. Both fill the same cart. */
export function App() {
  const [cart, setCart] = useState<Cart | null>(null);
  const [country, setCountry] = useState("");

  // A real shop sends these to the Storefront API; this example keeps its own cart.
  const put = (configured: Configured) =>
    setCart((before) => added(before?.lines ?? [], toStorefrontCart(before, configured)));

  // A promise may be valid in only one market: the bundles in the cart follow the shopper's country.
  useCartCountry(
    client,
    cart?.lines ?? NO_LINES,
    country || null,
    ({ moved }) => setCart((before) => moved.reduce(replaced, before)),
    EMBED,
  );

  return (
    <main>
      <h1>Our bundles</h1>
      <label>
        Country{" "}
        <select value={country} onChange={({ target }) => setCountry(target.value)}>
          <option value="">home</option>
          <option value="CH">Switzerland</option>
        </select>
      </label>
      {parameters.has("own") ? (
        <OwnDesign country={country} onConfigured={put} />
      ) : (
        <BundleBuilder
          {...settings}
          country={country || undefined}
          selection={shared}
          onReady={({ detail }) => (document.title = detail.bundle.name)}
          onAddToCart={({ detail }) => put(detail)}
        />
      )}
      {cart && (
        <pre aria-label="Cart" role="region" tabIndex={0}>
          {JSON.stringify(cart, null, 2)}
        </pre>
      )}
    </main>
  );
}

/** A cart with new lines. */
function added(lines: Cart["lines"], { lines: given, attributes }: Added): Cart {
  return { lines: [...lines, ...given.map((line) => ({ ...line, id: crypto.randomUUID() }))], attributes };
}

/** A cart in which a bundle is replaced with the same bundle for another country. */
function replaced(cart: Cart | null, bundle: Parameters<typeof moveInStorefrontCart>[1]): Cart | null {
  if (!cart) return null;
  const { lineIds, ...change } = moveInStorefrontCart(cart, bundle);
  return added(
    cart.lines.filter(({ id }) => !lineIds.includes(id)),
    change,
  );
}
