/** Applies the changes of a draft to what was published after the draft was begun. */

import { isSame, merge, settled } from "./plain.js";

/** @import { Content } from "../types.js" */
/** @import { Clash } from "./plain.js" */

const KINDS = /** @type {const} */ ({ markets: "countryCode", products: "id", bundles: "id", experiments: "id" });

/**
 * The writes that bring my changes into a new draft based on the live revision: items, and deletions, which have no
 * item.
 *
 * @param {Content} base
 * @param {Content} live
 * @param {Content} mine
 * @param {(clash: Clash, kind: string, id: string) => boolean} takesMine
 * @returns {{ kind: string, id: string, item: unknown }[]}
 */
export function rebased(base, live, mine, takesMine) {
  return Object.entries(KINDS).flatMap(([kind, name]) => {
    const by = (/** @type {any} */ content) =>
      new Map(/** @type {any[]} */ (content[kind] ?? []).map((item) => [String(item[name]), item]));
    const [old, now, own] = [by(base), by(live), by(mine)];
    return [...new Set([...now.keys(), ...own.keys()])].flatMap((id) => {
      const { merged, clashes } = merge(old.get(id), now.get(id), own.get(id));
      const item = settled(
        merged,
        clashes,
        clashes.map((clash) => takesMine(clash, kind, id)),
      );
      return isSame(item, now.get(id)) ? [] : [{ kind, id, item }];
    });
  });
}
