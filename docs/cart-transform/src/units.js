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
  const found = units(lines);
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

/**
 * Whether no fee of the claims is missing; of a digest, whether these are the very fees. More fees than were promised do no
 * harm: they are charged in full.
 *
 * @param {Record<string, number> | string} fees
 * @param {readonly import("./cart.js").Line[]} lines the bundle's lines of fees
 */
export function includesFees(fees, lines) {
  const found = units(lines);
  return typeof fees === "string"
    ? fees === digest(found)
    : Object.entries(fees).every(([variant, count]) => found.get(variant) >= count);
}

/** How many units of each variant the lines hold. */
function units(lines) {
  const counts = new Map();
  for (const { variant, quantity } of lines) {
    counts.set(variant, (counts.get(variant) ?? 0) + quantity);
  }
  return counts;
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
