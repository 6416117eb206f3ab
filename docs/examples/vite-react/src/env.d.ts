interface ImportMetaEnv {
  readonly VITE_BUNDLES_URL: string;
  readonly VITE_BUNDLES_KEY: string;
  readonly VITE_BUNDLE_ID: string;
}
