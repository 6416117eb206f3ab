import { toStorefrontCart } from "@bundlesvc/storefront/cart";
import { BundleBuilder, type Configured } from "@bundlesvc/storefront/react";
import type { CartQueryDataReturn, HydrogenRouterContextProvider } from "@shopify/hydrogen";
import { data, useFetcher, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";

export async function loader({ context, params }: LoaderFunctionArgs<HydrogenRouterContextProvider>) {
  const { PUBLIC_BUNDLES_URL: baseUrl, PUBLIC_BUNDLES_KEY: apiKey } = context.env;
  const { country, language } = context.storefront.i18n;
  return { baseUrl, apiKey, bundleId: Number(params.id), country, lang: language.toLowerCase() };
}

/** Puts a configured bundle into the cart: attributes first, so that no line is ever in it without its discount. */
export async function action({ context, request }: ActionFunctionArgs<HydrogenRouterContextProvider>) {
  const configured = (await request.json()) as Configured;
  const cart = await context.cart.get();
  const { lines, attributes } = toStorefrontCart(cart, configured);
  if (!cart) {
    const created = await context.cart.create({ lines, attributes });
    const headers = created.cart && context.cart.setCartId(created.cart.id);
    return data(problemsOf(created), headers && { headers });
  }
  const problems = problemsOf(await context.cart.updateAttributes(attributes));
  return data(problems.length ? problems : problemsOf(await context.cart.addLines(lines)));
}

function problemsOf({ errors, userErrors }: CartQueryDataReturn): string[] {
  return [...(errors ?? []), ...(userErrors ?? [])].map(({ message }) => message);
}

export default function BundlePage() {
  const settings = useLoaderData<typeof loader>();
  const fetcher = useFetcher<typeof action>();

  // The cart needs nothing else from the bundle.
  const put = ({ result, bundle, selection }: Configured) => {
    const configured = {
      result,
      bundle: { sellingPlans: bundle?.sellingPlans },
      selection: { subscription: selection?.subscription },
    };
    fetcher.submit(JSON.stringify(configured), { method: "post", encType: "application/json" });
  };

  return (
    <>
      <BundleBuilder {...settings} onAddToCart={(event) => put(event.detail)} />
      {fetcher.data?.map((problem) => (
        <p role="alert" key={problem}>
          {problem}
        </p>
      ))}
    </>
  );
}
