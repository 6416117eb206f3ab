import { createClient } from "@bundlesvc/storefront";

import { Builder } from "./builder";

const client = createClient({ baseUrl: process.env.NEXT_PUBLIC_BUNDLES_URL!, apiKey: process.env.BUNDLES_KEY! });

export const dynamic = "force-dynamic";

/** The server fetches the bundle, so its name and products are in the HTML. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const bundle = await client.embed.bundle({ id: Number((await params).id), lang: "en" });
  return <Builder bundle={bundle} />;
}
