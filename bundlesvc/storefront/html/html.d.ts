import type { EmbedBundle } from "../client/client.js";

/** Options for how a page shows the bundle. */
export interface HtmlOptions {
  /** The base URL of the API, as in the element's `base-url`. Image addresses are relative to it. */
  readonly baseUrl?: string;
  /** The country that the bundle was fetched for, as in the element's `country`. */
  readonly countryCode?: string | null;
  /** Whether the page has its own header in the slot `header`. */
  readonly hasHeader?: boolean;
  /** The nonce for styles in the page's content security policy. */
  readonly nonce?: string;
}

/**
 * The content of `<bundle-builder>` that a browser shows before any script runs: a `<template shadowrootmode="open">` with the
 * component's first drawing. `bundle` is the result of `client.embed.bundle`. All texts in it are escaped.
 */
export function bundleHtml(bundle: EmbedBundle, options?: HtmlOptions): string;

/** The text of its `<style>`, for the hash in a content security policy (`style-src 'sha256-…'`). */
export const styles: string;
