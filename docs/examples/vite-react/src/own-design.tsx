import { priceFormatter, type Product, type Variant } from "@bundlesvc/storefront";
import { useBundle, useCompletion, useSelection, type Amount, type Configured } from "@bundlesvc/storefront/react";

import { client, settings } from "./settings.js";

/** Every section as a list, followed by the price and what is missing. */
export function OwnDesign({
  country,
  onConfigured,
}: {
  country: string;
  onConfigured: (configured: Configured) => void;
}) {
  const countryCode = country || undefined;
  const { bundle, error, isLoading, reload } = useBundle(client, { id: settings.bundleId, lang: "en", countryCode });
  const options = { countryCode, onOutdated: reload };
  const chosen = useSelection(client, bundle, options);
  const { add, count, evaluation, faults, isBusy, remove, update, ...purchase } = chosen;
  const { complete, completion, undo, ...completing } = useCompletion(client, bundle, chosen, { countryCode });

  if (error) {
    return (
      <p role="alert">
        {error.message}{" "}
        <button type="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  }
  if (!bundle) return <p>Loading …</p>;

  const products = new Map(bundle.products.map((product) => [product.platformProductId, product]));
  const money = priceFormatter(bundle.settings, bundle.settings.locale);

  const buy = async (configure: () => Promise<Configured | null>) => {
    const configured = await configure();
    if (configured) onConfigured(configured);
  };
  // Show the price that `configure` sends.
  const total = evaluation?.presentment ?? evaluation?.pricing;
  const price = update?.price;
  const write = ({ amount, currency }: Amount) => money(amount, currency);

  return (
    <form aria-busy={isLoading} action={() => buy(purchase.configure)}>
      <h2>{bundle.name}</h2>
      {bundle.sections.map((section) => (
        <fieldset key={section.id}>
          <legend>{section.name}</legend>
          <ul>
            {section.products.flatMap(({ platformProductId, variantIds }) =>
              variantsOf(products.get(platformProductId), variantIds).map(({ product, variant }) => {
                const choice = {
                  variant: variant.platformVariantId,
                  product: product.platformProductId,
                  section: section.id,
                };
                const name = variant.title === "Default Title" ? product.title : `${product.title}, ${variant.title}`;
                return (
                  <li key={choice.variant}>
                    <span>{name}</span>
                    <span>{money(variant.priceInShopCurrency ?? variant.price)}</span>
                    <button
                      type="button"
                      aria-label={`Remove ${name}`}
                      disabled={!count(choice)}
                      onClick={() => remove(choice)}
                    >
                      −
                    </button>
                    <output>{count(choice)}</output>
                    <button type="button" aria-label={`Add ${name}`} onClick={() => add(choice)}>
                      +
                    </button>
                  </li>
                );
              }),
            )}
          </ul>
        </fieldset>
      ))}
      {total && <p>Total: {money(total.discountedPrice, total.currency)}</p>}
      <ul aria-label="What is missing">
        {faults.map((fault) => (
          <li key={`${fault.path} ${fault.message}`}>{fault.message}</li>
        ))}
      </ul>
      {(undo || faults.length > 0) && (
        <button type="button" disabled={completing.isBusy} onClick={undo ?? (() => complete())}>
          {undo ? "Undo" : "Finish my box"}
        </button>
      )}
      {completing.error && <p role="alert">{completing.error.message}</p>}
      {completion?.impossible?.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {purchase.error && !update && <p role="alert">{purchase.error.message}</p>}
      <div role="status">
        {update?.rulesChanged && <p>The rules changed while you were choosing.</p>}
        {update && update.removed.length > 0 && (
          <p>No longer available: {update.removed.map(({ title }) => title).join(", ")}.</p>
        )}
        {price && (
          <p>
            The price changed: now {write(price.now)}, before {write(price.before)}.{" "}
            <button type="button" disabled={isBusy} onClick={() => buy(purchase.confirm)}>
              Buy for {write(price.now)}
            </button>
          </p>
        )}
      </div>
      <button type="submit" disabled={isBusy || faults.length > 0}>
        Add to cart
      </button>
    </form>
  );
}

function variantsOf(
  product: Product | undefined,
  allowed: readonly string[],
): { product: Product; variant: Variant }[] {
  if (product?.status !== "ACTIVE") return [];
  const offered = product.variants.filter(
    ({ platformVariantId }) => !allowed.length || allowed.includes(platformVariantId),
  );
  return offered.filter(({ available }) => available).map((variant) => ({ product, variant }));
}
