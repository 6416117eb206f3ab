import { toStorefrontCart } from "@bundlesvc/storefront/cart";
import { BundleBuilder, type Configured } from "@bundlesvc/storefront/react";
import { useState } from "react";

import { OwnDesign } from "./own-design.js";
import { settings } from "./settings.js";

type Cart = ReturnType<typeof toStorefrontCart>;

/** The ready-made component, or with ?own a design of your own from the hooks. Both fill the same cart. */
export function App() {
  const [cart, setCart] = useState<Cart | null>(null);
  const isOwn = new URLSearchParams(location.search).has("own");

  // A real shop sends these to the Storefront API; this one holds its cart itself.
  const put = (configured: Configured) =>
    setCart((before) => {
      const { lines, attributes } = toStorefrontCart(before, configured);
      return { lines: [...(before?.lines ?? []), ...lines], attributes };
    });

  return (
    <main>
      {isOwn ? (
        <OwnDesign onConfigured={put} />
      ) : (
        <BundleBuilder
          {...settings}
          onReady={({ detail }) => (document.title = detail.bundle.name)}
          onAddToCart={({ detail }) => put(detail)}
        />
      )}
      {cart && <pre aria-label="Cart">{JSON.stringify(cart, null, 2)}</pre>}
    </main>
  );
}
