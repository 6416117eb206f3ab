"use client";

import { createClient, priceFormatter, type EmbedBundle } from "@bundlesvc/storefront";
import { useSelection } from "@bundlesvc/storefront/react";

const client = createClient({
  baseUrl: process.env.NEXT_PUBLIC_BUNDLES_URL!,
  apiKey: process.env.NEXT_PUBLIC_BUNDLES_KEY!,
});

/** A button for every product; the price and what is missing below. */
export function Builder({ bundle }: { bundle: EmbedBundle }) {
  const { add, configure, evaluation, faults, isBusy, reset } = useSelection(client, bundle);
  const products = new Map(bundle.products.map((product) => [product.platformProductId, product]));
  const money = priceFormatter(bundle.settings, bundle.settings.locale);

  const buy = async () => {
    const configured = await configure();
    if (!configured) return;
    // Here your page puts `configured` into the cart: toStorefrontCart(cart, configured)
    reset();
  };

  return (
    <main>
      <h1>{bundle.name}</h1>
      {bundle.sections.map((section) => (
        <section key={section.id}>
          <h2>{section.name}</h2>
          {section.products.map(({ platformProductId: product }) => {
            const { title, variants } = products.get(product) ?? { title: "", variants: [] };
            const variant = variants.find(({ available }) => available);
            return (
              variant && (
                <button
                  key={product}
                  onClick={() => add({ variant: variant.platformVariantId, product, section: section.id })}
                >
                  {title}
                </button>
              )
            );
          })}
        </section>
      ))}
      <p role="status">{evaluation?.pricing && money(evaluation.pricing.discountedPrice)}</p>
      <ul>
        {faults.map((fault) => (
          <li key={fault.path + fault.code}>{fault.message}</li>
        ))}
      </ul>
      <button disabled={isBusy || faults.length > 0} onClick={buy}>
        Add to cart
      </button>
    </main>
  );
}
