import type { EmbedBundle } from "../client/client.js";

/** How a page shows the bundle. */
export interface HtmlOptions {
  /** The base URL of the API, as the element's `base-url` has it: image addresses are relative to it. */
  readonly baseUrl?: string;
  /** The country that the bundle was fetched for, as the element's `country` has it. */
  readonly countryCode?: string | null;
  /** Whether the page has a header of its own in the slot `header`. */
  readonly hasHeader?: boolean;
  /** The nonce of the page's policy for its styles. */
  readonly nonce?: string;
}

/**
 * The content of `<bundle-builder>` that a browser shows before any script runs: a `<template shadowrootmode="open">` with
 * what the component draws at first. `bundle` is what `client.embed.bundle` returns. All texts in it are escaped.
 */
export function bundleHtml(bundle: EmbedBundle, options?: HtmlOptions): string;

/** The text of the `<style>` in it, for the hash of a policy (`style-src 'sha256-…'`). */
export const styles: string;
