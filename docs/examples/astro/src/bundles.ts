import { createClient, type BundleList, type BundleOffer } from "@bundlesvc/storefront";

const client = createClient({ baseUrl: import.meta.env.PUBLIC_BUNDLES_URL, apiKey: import.meta.env.BUNDLES_KEY });

/** All published bundles. Only the build calls this function, so its key is not in any page. */
export async function allBundles(): Promise<BundleOffer[]> {
  const bundles: BundleOffer[] = [];
  let cursor: string | null = null;
  do {
    const part: BundleList<BundleOffer> = await client.listBundles({ lang: "en", include: "offer", cursor });
    bundles.push(...part.bundles);
    cursor = part.next;
  } while (cursor);
  return bundles;
}
