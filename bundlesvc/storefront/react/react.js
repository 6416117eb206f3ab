"use client";

/** React hooks for your own design, and the web component as a React component. Types and documentation: react.d.ts. */

export { BundleBuilder } from "./bundle-builder.js";
export { useBundle } from "./use-bundle.js";
export { useCartCountry } from "./use-cart-country.js";
export { useCompletion } from "./use-completion.js";
export { useSelection } from "./use-selection.js";
