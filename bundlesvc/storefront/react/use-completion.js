/** Completes a shopper's selection, and can undo the completion. */

import { useEffect, useRef, useState } from "react";

import { NO_SECTION } from "../component/selection/offer.js";

/** @import { Completion, NetworkError, SelectedItem, ServiceError, ShopperSelection } from "../client/client.js" */

/**
 * The last completion. `asked` is the selection that was sent, as text; `before` is the selection that was replaced;
 * `after` is the new selection, as text.
 *
 * @typedef {{
 *   isBusy: boolean, error: ServiceError | NetworkError | null, completion: Completion | null, asked: string,
 *   before: ShopperSelection | null, after: string,
 * }} Completed
 */

/** @type {Completed} */
const NONE = { isBusy: false, error: null, completion: null, asked: "", before: null, after: "" };

/** @type {typeof import("./react.js").useCompletion} */
export function useCompletion(client, bundle, { selection, setSelection }, { countryCode } = {}) {
  const [state, setState] = useState(NONE);
  const latest = useRef({ client, bundle, selection, setSelection, countryCode });
  const isAsking = useRef(false);
  const written = writtenOf(selection.items);
  useEffect(() => {
    latest.current = { client, bundle, selection, setSelection, countryCode };
  });

  /** @type {import("./react.js").CompletionState["complete"]} */
  const complete = async (wishes = {}) => {
    const { current } = latest;
    if (!current.bundle || isAsking.current) return null;
    const before = current.selection;
    const asked = writtenOf(before.items);
    isAsking.current = true;
    setState({ ...NONE, isBusy: true });
    try {
      const { items, subscription } = before;
      const body = { ...wishes, products: items, subscription, countryCode: current.countryCode };
      const completion = await current.client.embed.complete(current.bundle.id, body);
      const [solution] = completion.solutions;
      // A selection that the shopper has changed in the meantime is not replaced.
      const isOld = latest.current.bundle !== current.bundle || writtenOf(latest.current.selection.items) !== asked;
      if (isOld || !solution) {
        setState({ ...NONE, completion, asked });
        return null;
      }
      latest.current.setSelection({ ...before, items: solution.products });
      setState({ ...NONE, completion, asked, before, after: writtenOf(solution.products) });
      return solution;
    } catch (error) {
      setState({ ...NONE, error: /** @type {ServiceError | NetworkError} */ (error), asked });
      return null;
    } finally {
      isAsking.current = false;
    }
  };

  const { before } = state;
  const isUndoable = before !== null && state.after === written;
  const isCurrent = isUndoable || state.asked === written;
  return {
    complete,
    undo: isUndoable
      ? () => {
          setState(NONE);
          setSelection(before);
        }
      : null,
    isBusy: state.isBusy,
    completion: isCurrent ? state.completion : null,
    error: isCurrent ? state.error : null,
  };
}

/**
 * The items chosen in sections, as text. Required products and free items are left out, because the shopper does not
 * choose them.
 *
 * @param {readonly SelectedItem[]} items
 */
function writtenOf(items) {
  return items
    .filter(({ section }) => section !== NO_SECTION)
    .map(({ section, variant, personalisation }) => JSON.stringify([section, variant, personalisation ?? null]))
    .sort()
    .join();
}
