/** The element <bundle-builder> as a React component, with props for its attributes and events. */

import { createElement, useEffect, useImperativeHandle, useRef } from "react";

/** @type {Readonly<Record<string, string>>} */
const ATTRIBUTES = {
  apiKey: "api-key",
  baseUrl: "base-url",
  bundleId: "bundle-id",
  configured: "configured",
  country: "country",
  productHandle: "product-handle",
  template: "template",
  tools: "tools",
  visitorId: "visitor-id",
};

const EVENTS = /** @type {const} */ ({
  onAddToCart: "bundle:addtocart",
  onChange: "bundle:change",
  onError: "bundle:error",
  onMoved: "bundle:moved",
  onReady: "bundle:ready",
  onUpdate: "bundle:update",
});

/** @import { BundleBuilderElement } from "./react.js" */
/** @typedef {Readonly<Record<string, ((event: Event) => void) | undefined>>} Listeners */

/** @type {typeof import("./react.js").BundleBuilder} */
export function BundleBuilder({ ref, selection, cartItems, ...props }) {
  const element = useRef(/** @type {BundleBuilderElement} */ (/** @type {unknown} */ (null)));
  const latest = useRef(props);
  useImperativeHandle(ref, () => element.current);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const target = element.current;
    const removed = new AbortController();
    for (const [prop, event] of Object.entries(EVENTS)) {
      const hear = (/** @type {Event} */ given) =>
        /** @type {Listeners} */ (/** @type {unknown} */ (latest.current))[prop]?.(given);
      target.addEventListener(event, hear, { signal: removed.signal });
    }
    // The listeners are added before the element is defined, so they miss no event.
    import("../bundle-builder.js");
    return () => removed.abort();
  }, []);
  useEffect(() => {
    if (selection !== undefined) element.current.selection = selection;
  }, [selection]);
  useEffect(() => {
    if (cartItems !== undefined) element.current.cartItems = cartItems;
  }, [cartItems]);
  return createElement("bundle-builder", { ...attributesOf(props), ref: element });
}

/**
 * The attributes for the props. Props of React, such as `className` and `children`, keep their names.
 *
 * @param {Readonly<Record<string, unknown>>} props
 */
function attributesOf(props) {
  const given = Object.entries(props).filter(([name]) => !(name in EVENTS));
  return Object.fromEntries(given.map(([name, value]) => [ATTRIBUTES[name] ?? name, value]));
}
