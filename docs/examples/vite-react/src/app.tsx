import { decodeSelection } from "@bundlesvc/storefront";
import { toStorefrontCart } from "@bundlesvc/storefront/cart";
import { BundleBuilder, type Configured } from "@bundlesvc/storefront/react";
import { useState } from "react";

import { OwnDesign } from "./own-design.js";
import { settings } from "./settings.js";

type Cart = ReturnType<typeof toStorefrontCart>;

const parameters = new URLSearchParams(location.search);
const link = parameters.get("selection");
/** A link may open with a selection: encodeSelection makes its text. */
const shared = link ? decodeSelection(link) : undefined;

/** The ready-made component, or with ?own a design of your own from the hooks. Both fill the same cart. */
export function App() {
  const [cart, setCart] = useState<Cart | null>(null);

  // A real shop sends these to the Storefront API; this one holds its cart itself.
  const put = (configured: Configured) =>
    setCart((before) => {
      const { lines, attributes } = toStorefrontCart(before, configured);
      return { lines: [...(before?.lines ?? []), ...lines], attributes };
    });

  return (
    <main>
      <h1>Our bundles</h1>
      {parameters.has("own") ? (
        <OwnDesign onConfigured={put} />
      ) : (
        <BundleBuilder
          {...settings}
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
