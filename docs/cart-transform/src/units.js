/** Whether the units in the cart are those that were configured. */

import { hash } from "@stablelib/sha256";

/**
 * Why the lines are not those of the claims; null when they are.
 *
 * @param {Record<string, number> | string} variants
 * @param {readonly import("./cart.js").Line[]} lines
 * @returns {"lines_missing" | "lines_extra" | "quantity_changed" | "lines_changed" | null}
 */
export function differenceOfUnits(variants, lines) {
  const found = new Map();
  for (const { variant, quantity } of lines) {
    found.set(variant, (found.get(variant) ?? 0) + quantity);
  }
  if (typeof variants === "string") {
    return variants === digest(found) ? null : "lines_changed";
  }
  const promised = new Map(Object.entries(variants));
  if ([...promised.keys()].some((variant) => !found.has(variant))) {
    return "lines_missing";
  }
  if (found.size > promised.size) {
    return "lines_extra";
  }
  return [...promised].every(([variant, count]) => found.get(variant) === count) ? null : "quantity_changed";
}

/** `sha256:` and the digest, in hex, of the pairs `<id>:<count>`, sorted by id as a number and joined by commas. */
function digest(counts) {
  const sorted = [...counts.keys()].sort((left, right) => Number(left) - Number(right));
  const pairs = sorted.map((variant) => `${variant}:${counts.get(variant)}`).join(",");
  const digits = Array.from(hash(ascii(pairs)), (byte) => byte.toString(16).padStart(2, "0"));
  return `sha256:${digits.join("")}`;
}

function ascii(text) {
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) {
    bytes[place] = text.charCodeAt(place);
  }
  return bytes;
}
