/** Plain data: changing a part, differences as merge patches (RFC 7386), and the same three-way merge as in the service. */

/** @import { Plain } from "../types.js" */

/** @typedef {string | number} Step */
/** @typedef {{ path: Step[], base: any, theirs: any, mine: any }} Clash a part that both sides changed differently */

/** The last step of a path that refers to the order of a list's items. */
const ORDER = "order";
const ITEM_KEYS = ["id", "bundleItemId", "countryCode", "key", "bundleId", "name", "platformProductId"];

/** Whether two values are the same data. @param {any} one @param {any} other @returns {boolean} */
export function isSame(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isSame(one[key], other[key]));
}

/**
 * The value at a path; undefined when there is none.
 *
 * @param {any} value
 * @param {readonly Step[]} path
 */
export function valueAt(value, path) {
  return path.reduce((inner, step) => inner?.[step], value);
}

/**
 * A copy of the value in which `part` stands at the path. Undefined removes the part, and then the objects around it
 * that become empty.
 *
 * @param {any} value
 * @param {readonly Step[]} path
 * @param {any} part
 * @returns {any}
 */
export function withPart(value, path, part) {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  const inner = withPart(value?.[step], rest, part);
  if (Array.isArray(value)) {
    return inner === undefined ? value.filter((_, place) => place !== step) : value.with(Number(step), inner);
  }
  const { [step]: _, ...others } = value ?? {};
  if (inner === undefined) return Object.keys(others).length || path.length === 1 ? others : undefined;
  return value && step in value ? { ...value, [step]: inner } : { ...others, [step]: inner };
}

/**
 * The merge patch that turns one object into another; undefined when they are the same.
 *
 * @param {any} before
 * @param {any} after
 * @returns {any}
 */
export function patchBetween(before, after) {
  if (isSame(before, after)) return undefined;
  if (!isObject(before) || !isObject(after)) return after;
  /** @type {Record<string, any>} */
  const patch = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (after[key] === undefined) {
      if (before[key] !== undefined) patch[key] = null;
    } else {
      const inner = patchBetween(before[key], after[key]);
      if (inner !== undefined) patch[key] = inner;
    }
  }
  return patch;
}

/** @param {any} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Merges the changes that two sides have made to a base. Where both changed the same part differently, `merged`
 * contains theirs, and there is a clash.
 *
 * @param {any} base
 * @param {any} theirs
 * @param {any} mine
 * @returns {{ merged: any, clashes: Clash[] }}
 */
export function merge(base, theirs, mine) {
  /** @type {Clash[]} */
  const clashes = [];
  return { merged: merged([], base, theirs, mine, clashes), clashes };
}

/**
 * @param {Step[]} path
 * @param {any} base
 * @param {any} theirs
 * @param {any} mine
 * @param {Clash[]} clashes
 * @returns {any}
 */
function merged(path, base, theirs, mine, clashes) {
  if (isSame(mine, theirs) || isSame(mine, base)) return theirs;
  if (isSame(theirs, base)) return mine;
  const old = base === undefined && isObject(theirs) ? {} : base;
  if (isObject(old) && isObject(theirs) && isObject(mine)) {
    /** @type {Record<string, any>} */
    const made = {};
    for (const key of new Set([...Object.keys(old), ...Object.keys(theirs), ...Object.keys(mine)])) {
      const value = merged([...path, key], old[key], theirs[key], mine[key], clashes);
      if (value !== undefined) made[key] = value;
    }
    return made;
  }
  const key = Array.isArray(theirs) && Array.isArray(mine) ? itemKey([base ?? [], theirs, mine]) : undefined;
  if (key) return mergedList(path, key, base ?? [], theirs, mine, clashes);
  clashes.push({ path, base, theirs, mine });
  return theirs;
}

/**
 * The key that identifies the items of all these lists.
 *
 * @param {any[]} lists
 */
function itemKey(lists) {
  if (!lists.every(Array.isArray) || !lists.some((list) => list.length)) return undefined;
  const identifies = (/** @type {string} */ key) => (/** @type {any[]} */ list) => {
    const values = list.map((item) => item?.[key]);
    return (
      values.every((value) => ["string", "number"].includes(typeof value)) && new Set(values).size === values.length
    );
  };
  return ITEM_KEYS.find((key) => lists.every(identifies(key)));
}

/**
 * @param {Step[]} path
 * @param {string} key
 * @param {any[]} base
 * @param {any[]} theirs
 * @param {any[]} mine
 * @param {Clash[]} clashes
 */
function mergedList(path, key, base, theirs, mine, clashes) {
  const by = (/** @type {any[]} */ list) => new Map(list.map((item) => [item[key], item]));
  const [old, live, own] = [by(base), by(theirs), by(mine)];
  const made = new Map();
  for (const id of new Set([...old.keys(), ...live.keys(), ...own.keys()])) {
    const item = merged([...path, id], old.get(id), live.get(id), own.get(id), clashes);
    if (item !== undefined) made.set(id, item);
  }
  const order = mergedOrder(path, [...old.keys()], [...live.keys()], [...own.keys()], clashes);
  const left = order.map((ids) => ids.filter((id) => made.has(id)));
  return withAdded(left[0] ?? [], left.slice(1)).map((id) => made.get(id));
}

/** @typedef {string | number} Id */

/**
 * The merged order of the items that all lists contain, followed by the ids of each side, in the order of that side.
 *
 * @param {Step[]} path
 * @param {Id[]} base
 * @param {Id[]} theirs
 * @param {Id[]} mine
 * @param {Clash[]} clashes
 * @returns {Id[][]}
 */
function mergedOrder(path, base, theirs, mine, clashes) {
  const shared = base.filter((id) => theirs.includes(id) && mine.includes(id));
  const inOrderOf = (/** @type {Id[]} */ side) => side.filter((id) => shared.includes(id));
  const [live, own] = [inOrderOf(theirs), inOrderOf(mine)];
  if (!isSame(shared, live) && !isSame(shared, own) && !isSame(live, own)) {
    clashes.push({ path: [...path, ORDER], base, theirs, mine });
  }
  return [isSame(live, shared) ? own : live, theirs, mine];
}

/**
 * The spine with the items that either side added, each after the item that it follows on that side. Where both sides
 * added items in the same place, the items with the smaller ids come first.
 *
 * @param {Id[]} spine
 * @param {Id[][]} sides
 */
function withAdded(spine, sides) {
  /** @type {Map<Id | null, Id[][]>} */
  const runs = new Map();
  for (const side of sides) {
    /** @type {Id | null} */
    let anchor = null;
    /** @type {Id[]} */
    let run = [];
    for (const id of side) {
      if (spine.includes(id)) {
        anchor = id;
        run = [];
      } else {
        if (!run.length) runs.set(anchor, [...(runs.get(anchor) ?? []), run]);
        run.push(id);
      }
    }
  }
  const added = (/** @type {Id | null} */ anchor) => (runs.get(anchor) ?? []).sort(compareRuns).flat();
  return [...new Set([...added(null), ...spine.flatMap((id) => [id, ...added(id)])])];
}

/** Compares lists of ids: numbers come before texts. @param {Id[]} one @param {Id[]} other */
function compareRuns(one, other) {
  const place = one.findIndex((id, at) => id !== other[at]);
  if (place < 0) return one.length - other.length;
  const [left, right] = [one[place], other[place]];
  if (left === undefined || right === undefined) return one.length - other.length;
  if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
  return left < right ? -1 : 1;
}

/**
 * The data, with `mine` in place of `theirs` at each clash whose entry in `takesMine` is true. In paths, items of lists
 * are identified by their ids.
 *
 * @param {any} value
 * @param {readonly Clash[]} clashes
 * @param {readonly boolean[]} takesMine
 */
export function settled(value, clashes, takesMine) {
  return clashes.reduce((made, clash, place) => (takesMine[place] ? withMine(made, clash) : made), value);
}

/** @param {any} value @param {Clash} clash */
function withMine(value, { path, mine }) {
  const above = stepsOf(value, path.slice(0, -1));
  const list = valueAt(value, above);
  if (path.at(-1) !== ORDER || !Array.isArray(list)) return withPart(value, stepsOf(value, path), mine);
  const key = itemKey([list]) ?? "id";
  const placeOf = (/** @type {any} */ item) => (mine.indexOf(item[key]) + mine.length + 1) % (mine.length + 1);
  return withPart(
    value,
    above,
    list.toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
}

/**
 * The path with indexes instead of the ids of items, as in findings and conflicts.
 *
 * @param {any} value
 * @param {readonly Step[]} path
 * @returns {Step[]}
 */
export function stepsOf(value, path) {
  let inner = value;
  return path.map((step) => {
    const own = Array.isArray(inner) ? placeOf(inner, step) : step;
    inner = inner?.[own];
    return own;
  });
}

/** @param {any[]} list @param {Step} step */
function placeOf(list, step) {
  const key = itemKey([list]);
  return key ? list.findIndex((item) => String(item[key]) === String(step)) : Number(step);
}

/** The value after a merge patch (RFC 7386). @param {any} value @param {any} patch @returns {any} */
export function patched(value, patch) {
  if (!isObject(patch)) return patch;
  const made = isObject(value) ? { ...value } : {};
  for (const [key, part] of Object.entries(patch)) {
    if (part === null) delete made[key];
    else made[key] = patched(made[key], part);
  }
  return made;
}
