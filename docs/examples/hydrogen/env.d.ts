/// <reference types="@shopify/hydrogen/react-router-types" />

interface Env {
  PUBLIC_BUNDLES_URL: string;
  PUBLIC_BUNDLES_KEY: string;
}
