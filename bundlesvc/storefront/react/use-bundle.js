/** Fetches a bundle. */

import { useEffect, useRef, useState } from "react";

import { waitBeforeTry } from "../component/retrying.js";

/** @import { BundleState } from "./react.js" */

/**
 * The last result, and the request that it belongs to.
 *
 * @typedef {Pick<BundleState, "bundle" | "error"> & { wanted: string | null }} Read
 */

/** @type {typeof import("./react.js").useBundle} */
export function useBundle(client, request, { initial = null } = {}) {
  const [round, setRound] = useState(0);
  const wanted = JSON.stringify([round, request]);
  const [state, setState] = useState(/** @type {Read} */ ({ wanted: initial && wanted, bundle: initial, error: null }));
  // Whether to read past caches, and the number of automatic retries since it last had a bundle.
  const next = useRef({ fresh: false, tries: 0 });
  const isLoading = state.wanted !== wanted;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` stands for the request, usually a new object each time
  useEffect(() => {
    if (!isLoading) return undefined;
    const reading = new AbortController();
    const { signal } = reading;
    /** @type {(bundle: Read["bundle"], error: Read["error"]) => void} */
    const settle = (bundle, error) => {
      if (signal.aborted) return;
      if (bundle) next.current = { fresh: false, tries: 0 };
      setState((before) => ({ wanted, bundle: bundle ?? before.bundle, error }));
    };
    client.embed.bundle({ ...request, fresh: next.current.fresh, signal }).then(
      (bundle) => settle(bundle, null),
      (error) => settle(null, error),
    );
    return () => reading.abort();
  }, [client, wanted]);

  useEffect(() => {
    const wait = state.error && !isLoading ? waitBeforeTry(state.error, next.current.tries) : null;
    if (wait === null) return undefined;
    const timer = setTimeout(() => {
      next.current.tries += 1;
      setRound((last) => last + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [state.error, isLoading]);

  const reload = () => {
    next.current.fresh = true;
    setRound((last) => last + 1);
  };
  return { bundle: state.bundle, error: isLoading ? null : state.error, isLoading, reload };
}
