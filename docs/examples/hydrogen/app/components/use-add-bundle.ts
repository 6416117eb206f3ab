import {
  toStorefrontCart,
  type Configured,
  type StorefrontAttribute,
  type StorefrontLine,
} from "@bundlesvc/storefront/cart";
import { useCart } from "@shopify/hydrogen-react";
import { useEffect, useState } from "react";

/**
 * Puts configured bundles into the cart of `<CartProvider>`. The provider drops calls while it is busy, so the lines wait until the
 * cart has the attribute with their discount.
 */
export function useAddBundle(): (configured: Configured) => void {
  const cart = useCart();
  const [waiting, setWaiting] = useState<{ bundles: string; lines: StorefrontLine[] } | null>(null);
  const bundles = bundlesOf(cart.attributes);
  const isNext = waiting !== null && cart.status === "idle" && bundles === waiting.bundles;

  useEffect(() => {
    if (!isNext) return;
    setWaiting(null);
    cart.linesAdd(waiting.lines);
  }, [isNext]);

  return (configured) => {
    const { lines, attributes } = toStorefrontCart(cart, configured);
    const wanted = bundlesOf(attributes);
    if (!cart.id) cart.cartCreate({ lines, attributes });
    else if (wanted === bundles) cart.linesAdd(lines);
    else {
      cart.cartAttributesUpdate(attributes);
      setWaiting({ bundles: wanted, lines });
    }
  };
}

function bundlesOf(
  attributes: readonly (Partial<StorefrontAttribute> | { value?: string | null } | undefined)[] = [],
): string {
  return attributes.find((one) => one && "key" in one && one.key === "_bundles")?.value ?? "";
}
