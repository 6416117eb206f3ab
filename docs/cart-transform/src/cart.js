/** A cart as the input query tells it, read into what the step works with. Anyone may have changed its attributes. */

const ID = /^[1-9][0-9]{0,15}$/;

/**
 * Which configured bundle a line belongs to: what `_bundle_data` says.
 *
 * @typedef {{configured: string, parent: string, unique: string}} Mark
 */

/**
 * A line of the cart that belongs to a bundle. `mark` is null where its `_bundle_data` cannot be read; `variant` is empty for a
 * product that was made for this cart.
 *
 * @typedef {{id: string, quantity: number, variant: string, unitPrice: string, currency: string,
 *   mark: Mark | null, isFee: boolean, hasSellingPlan: boolean}} Line
 */

/**
 * The lines that carry `_bundle_data`.
 *
 * @param {readonly any[]} lines all lines of the cart
 * @returns {Line[]}
 */
export function bundleLines(lines) {
  const mark = markReader();
  return lines
    .filter(({ bundle }) => bundle)
    .map(({ id, quantity, bundle, fee, cost, sellingPlanAllocation, merchandise }) => ({
      id,
      quantity,
      variant: merchandise.id ? merchandise.id.slice(merchandise.id.lastIndexOf("/") + 1) : "",
      unitPrice: cost.amountPerQuantity.amount,
      currency: cost.amountPerQuantity.currencyCode,
      mark: mark(bundle.value ?? ""),
      isFee: Boolean(fee),
      hasSellingPlan: Boolean(sellingPlanAllocation),
    }));
}

/** All lines of a bundle carry the same text: it is read once. */
function markReader() {
  const known = new Map();
  return (text) => {
    if (!known.has(text)) {
      known.set(text, readMark(text));
    }
    return known.get(text);
  };
}

/** @returns {Mark | null} */
function readMark(text) {
  const [configured, parent, unique, ...rest] = text.split("#");
  return isId(configured) && isId(parent) && unique && !rest.length ? { configured, parent, unique } : null;
}

function isId(text) {
  return text !== undefined && ID.test(text) && Number.isSafeInteger(Number(text));
}

/**
 * The discount, title and image that the cart attribute `_bundles` has for a configured bundle. Only the discount is signed.
 *
 * @param {string | null | undefined} attribute
 */
export function bundlesAttribute(attribute) {
  const entries = attribute ? parseObject(attribute) : {};
  return {
    /**
     * @param {string} configured
     * @returns {{entry: {discount: string, id: unknown, title: string, image: string}} | {reason: string}}
     */
    entry(configured) {
      if (!attribute) {
        return { reason: "attribute_missing" };
      }
      if (!entries) {
        return { reason: "attribute_unreadable" };
      }
      const found = entries[configured] ?? null;
      if (found === null) {
        return { reason: "entry_missing" };
      }
      const { discount, id, title, image } = found;
      return typeof discount === "string"
        ? { entry: { discount, id, title: text(title), image: text(image) } }
        : { reason: "entry_unreadable" };
    },
  };
}

/**
 * The object whose JSON this is; null when it is no JSON, or of something else.
 *
 * @param {string} json
 * @returns {Record<string, any> | null}
 */
export function parseObject(json) {
  try {
    const value = JSON.parse(json);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function text(value) {
  return typeof value === "string" ? value : "";
}
