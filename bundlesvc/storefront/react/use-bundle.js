/** Fetches a bundle. */

import { useEffect, useState } from "react";

/** @type {typeof import("./react.js").useBundle} */
export function useBundle(client, request, { initial = null } = {}) {
  const [round, setRound] = useState(0);
  const wanted = JSON.stringify([round, request]);
  const [state, setState] = useState({ wanted: initial && wanted, bundle: initial, error: null });
  const isLoading = state.wanted !== wanted;

  useEffect(() => {
    if (!isLoading) return undefined;
    const reading = new AbortController();
    const settle = (bundle, error) => {
      if (!reading.signal.aborted) setState((before) => ({ wanted, bundle: bundle ?? before.bundle, error }));
    };
    client.embed.bundle({ ...request, signal: reading.signal }).then(
      (bundle) => settle(bundle, null),
      (error) => settle(null, error),
    );
    return () => reading.abort();
    // `wanted` stands for the request, which is usually a new object each time.
  }, [client, wanted]);

  return { bundle: state.bundle, error: isLoading ? null : state.error, isLoading, reload: () => setRound((last) => last + 1) };
}
