import { createClient } from "@bundlesvc/storefront";

const { VITE_BUNDLES_URL: baseUrl, VITE_BUNDLES_KEY: apiKey, VITE_BUNDLE_ID: bundle } = import.meta.env;

export const settings = { baseUrl, apiKey, bundleId: Number(bundle) };

/** One client for all components. */
export const client = createClient(settings);
