/** What the studio works on: the live shop, and the open draft with what is changed in it. */

import { ApiError, manage, newKey } from "./api.js";
import { isSame, merge, settled } from "./plain.js";
import { rebased } from "./rebase.js";

/** @import { Bundle, Change, Content, Experiment, Finding, Product, Replayed, Revision, Sales, SessionInfo, ShopSection } from "../types.js" */

const LOOK_MS = 4000;
const RETRY_MS = 2000;
const RECENT = "bundlesvc-studio-draft";

/** @import { FollowedFile } from "./followed-file.js" */
/** @import { Clash } from "./plain.js" */
/** @import { PlatformBundle } from "./platform-bundles.js" */

/** @typedef {ShopSection & { live: number }} Shop */

/** Sends `changed` when a draft was opened, left or changed elsewhere, and `saved` after each write of its own. */
export class Workspace extends EventTarget {
  /** The bundles that are edited, or not saved yet. @type {Set<{ saved: () => Promise<void> }>} */
  documents = new Set();
  /** @type {Revision | null} */
  draft = null;
  /** @type {readonly Revision[]} */
  drafts = [];
  tag = "";
  /** @type {Content} */
  content;
  /** @type {Content} */
  live;
  /** The currency of a live platform. "" while it is not known. */
  platformCurrency = "";
  #writing = Promise.resolve();
  #timer = 0;

  /**
   * @param {SessionInfo} session
   * @param {FollowedFile | null} file
   * @param {Shop} shop
   * @param {Content} live
   */
  constructor(session, file, shop, live) {
    super();
    this.session = session;
    this.file = file;
    this.shop = shop;
    this.live = live;
    this.content = live;
  }

  /** @param {SessionInfo} session @param {FollowedFile | null} file the shop file that is shown, if the studio follows one */
  static async open(session, file) {
    const [shop, live] = await Promise.all([manage("/shop"), manage("/revisions/live/content")]);
    const workspace = new Workspace(session, file, shop.body, live.body);
    workspace.tag = shop.tag;
    await workspace.readDrafts();
    const recent = Number(localStorage.getItem(RECENT));
    const draft = workspace.drafts.find(({ number }) => number === recent) ?? workspace.drafts[0];
    if (draft) await workspace.choose(draft);
    return workspace;
  }

  /** The number of the revision that is shown: the draft, or what is live. */
  get number() {
    return this.draft?.number ?? this.shop.live;
  }

  get mayWrite() {
    return this.session.scopes.includes("manage:write");
  }

  get mayPublish() {
    return this.session.scopes.includes("manage:publish");
  }

  get mayReport() {
    return this.session.scopes.includes("reports");
  }

  get locale() {
    return this.shop.locale ?? "en";
  }

  /** The currency of all amounts. "" while it is not known. */
  get currency() {
    return this.content.shop.currency ?? this.platformCurrency;
  }

  /** The languages that bundles are translated into. @returns {string[]} */
  get languages() {
    const tags = this.content.bundles.flatMap(({ translations }) => Object.keys(translations ?? {}));
    return [...new Set(tags)].filter((tag) => tag !== this.locale).sort();
  }

  /** @param {string} feature */
  has(feature) {
    return this.content.shop.activeFeatures?.includes(feature) ?? false;
  }

  get isEmbedded() {
    return (this.content.shop.platform?.kind ?? "embedded") === "embedded";
  }

  /** Whether the shop's platform may have bundles of its own. */
  get hasPlatformBundles() {
    return this.content.shop.platform?.kind === "shopify";
  }

  /** @param {number} id */
  bundle(id) {
    return this.content.bundles.find((bundle) => bundle.id === id);
  }

  /** @param {number} id */
  liveBundle(id) {
    return this.live.bundles.find((bundle) => bundle.id === id);
  }

  /** Resolves when everything that was typed is saved. */
  async saved() {
    await Promise.all([...this.documents].map((document) => document.saved()));
  }

  async readDrafts() {
    this.drafts = (await manage("/revisions?state=draft&limit=50")).body;
  }

  /** Opens a draft. @param {Revision} draft */
  async choose(draft) {
    const { body, tag } = await manage(`/revisions/${draft.number}/content`);
    this.draft = draft;
    this.content = body;
    this.tag = tag;
    localStorage.setItem(RECENT, String(draft.number));
    this.#tell("changed");
  }

  /** Shows what is live, and the newest draft if there is one. */
  async reload() {
    const [shop, live] = await Promise.all([manage("/shop"), manage("/revisions/live/content"), this.readDrafts()]);
    this.shop = shop.body;
    this.live = live.body;
    const same = this.drafts.find(({ number }) => number === this.draft?.number);
    if (same) return this.choose(same);
    this.draft = null;
    this.content = this.live;
    this.tag = live.tag;
    this.#tell("changed");
  }

  /** The open draft; the first change begins one. */
  async #openDraft() {
    if (this.draft) return this.draft;
    const { body, tag } = await manage("/revisions", { method: "POST", body: {}, key: newKey() });
    this.draft = /** @type {Revision} */ (body);
    this.drafts = [this.draft, ...this.drafts];
    this.tag = tag;
    localStorage.setItem(RECENT, String(this.draft.number));
    return this.draft;
  }

  /**
   * Begins work once all work before it is done. Only so is the tag of the draft the one after the last write.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  inTurn(work) {
    const result = this.#writing.then(work);
    this.#writing = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /**
   * Writes to the draft. Rejects with an ApiError: its status is 412 when somebody else has written meanwhile.
   *
   * @param {string} path below the draft
   * @param {string} method
   * @param {unknown} [body]
   */
  async write(path, method, body) {
    const draft = await this.#openDraft();
    const result = await manage(`/revisions/${draft.number}${path}`, { method, body, tag: this.tag });
    if (result.tag) this.tag = result.tag;
    else await this.#readTag();
    return result.body;
  }

  /** Writes something that nobody else is likely to change, whatever else they have changed. @param {string} path @param {string} method @param {unknown} [body] */
  writeAnyway(path, method, body) {
    return this.inTurn(() => this.#writeAnyway(path, method, body));
  }

  /** @param {string} path @param {string} method @param {unknown} [body] */
  async #writeAnyway(path, method, body) {
    for (let left = 5; ; left -= 1) {
      try {
        return await this.write(path, method, body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || left === 0) throw error;
        await this.#readTag();
      }
    }
  }

  /** The bundle as the draft has it now; undefined when it is gone. @param {number} id @returns {Promise<Bundle | undefined>} */
  readBundle(id) {
    return this.#readItem(`/bundles/${id}`);
  }

  /** An item as the draft has it now; undefined when it is gone. @param {string} path below the draft @returns {Promise<any>} */
  async #readItem(path) {
    try {
      const { body, tag } = await manage(`/revisions/${this.number}${path}`);
      this.tag = tag;
      return body;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #readTag() {
    this.tag = (await manage(`/revisions/${this.number}`)).tag;
  }

  /** Notes what a bundle is now, and tells who shows it. @param {Bundle} bundle */
  note(bundle) {
    const others = this.content.bundles.filter(({ id }) => id !== bundle.id);
    this.content = { ...this.content, bundles: [...others, bundle].sort((one, other) => one.id - other.id) };
    this.#tell("saved");
  }

  /** Adds a bundle under the next free id. @param {Omit<Bundle, "id">} bundle @returns {Promise<Bundle>} */
  async add(bundle) {
    const made = await this.writeAnyway("/bundles", "POST", bundle);
    this.note(made);
    return made;
  }

  /** @param {number} id @returns {Promise<Bundle>} */
  async duplicate(id) {
    const made = await this.writeAnyway(`/bundles/${id}/duplicate`, "POST", {});
    this.note(made);
    return made;
  }

  /** @param {number} id */
  async remove(id) {
    await this.writeAnyway(`/bundles/${id}`, "DELETE");
    this.content = { ...this.content, bundles: this.content.bundles.filter((bundle) => bundle.id !== id) };
    this.#tell("saved");
  }

  /** @param {import("../types.js").OwnProduct & Record<string, unknown>} product */
  async putProduct(product) {
    await this.writeAnyway(`/products/${product.id}`, "PUT", product);
    const others = this.content.products.filter(({ id }) => id !== product.id);
    this.content = { ...this.content, products: [...others, product] };
  }

  /**
   * Makes one state of a test another one; undefined is no test. What somebody else has made of it since the first state stays,
   * but where both have changed the same. What they make of it at this moment is another matter: `ask` decides about that.
   *
   * @param {Experiment | undefined} from
   * @param {Experiment | undefined} to
   * @param {(clashes: readonly Clash[]) => Promise<boolean[]>} ask
   */
  changeExperiment(from, to, ask) {
    return this.inTurn(async () => {
      const now = from && this.content.experiments.find(({ id }) => id === from.id);
      const { merged, clashes } = merge(from, now, to);
      /** @type {Experiment | undefined} */
      const made = settled(
        merged,
        clashes,
        clashes.map(() => true),
      );
      if (made) await this.#putExperiment(made, ask);
      if (from && from.id !== made?.id) await this.#removeExperiment(from.id);
    });
  }

  /** @param {Experiment} experiment @param {(clashes: readonly Clash[]) => Promise<boolean[]>} ask */
  async #putExperiment(experiment, ask) {
    const { id } = experiment;
    const path = `/experiments/${encodeURIComponent(id)}`;
    let base = this.content.experiments.find((each) => each.id === id);
    let made = experiment;
    for (;;) {
      try {
        const { id: _, ...rest } = made;
        await retrying(() => this.write(path, "PUT", rest));
        break;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
      }
      await retrying(() => this.#readTag());
      const theirs = await retrying(() => this.#readItem(path));
      const { merged, clashes } = merge(base, theirs, made);
      made = clashes.length ? settled(merged, clashes, await ask(clashes)) : merged;
      base = theirs;
      if (made === undefined || isSame(made, theirs)) break;
    }
    this.#noteExperiments([...this.content.experiments.filter((each) => each.id !== id), ...(made ? [made] : [])]);
  }

  /** @param {string} id */
  async #removeExperiment(id) {
    await retrying(() => this.#writeAnyway(`/experiments/${encodeURIComponent(id)}`, "DELETE")).catch((error) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error; // it is gone already
    });
    this.#noteExperiments(this.content.experiments.filter((each) => each.id !== id));
  }

  /** How many visitors were counted for a test; undefined when that cannot be read. @param {string} id @returns {Promise<number | undefined>} */
  async visitorsOf(id) {
    if (!this.live.experiments.some((each) => each.id === id)) return 0;
    try {
      /** @type {{ arms: { visitors: number }[] }} */
      const { arms } = (await manage(`/experiments/${encodeURIComponent(id)}/results`)).body;
      return arms.reduce((sum, { visitors }) => sum + visitors, 0);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return undefined;
    }
  }

  #noteExperiments(/** @type {readonly Experiment[]} */ experiments) {
    this.content = { ...this.content, experiments };
    this.#tell("saved");
  }

  /** Turns a feature of the shop on. @param {string} feature */
  async turnOn(feature) {
    const activeFeatures = [...(this.content.shop.activeFeatures ?? []), feature];
    await this.writeAnyway("/shop", "PATCH", { activeFeatures });
    this.content = { ...this.content, shop: { ...this.content.shop, activeFeatures } };
    this.#tell("saved");
  }

  /** @returns {Promise<Finding[]>} */
  async lint() {
    if (this.file) return [...this.file.findings];
    return (await manage(`/revisions/${this.number}/lint`)).body.findings;
  }

  /** @param {string} [against] @param {number} [number] @returns {Promise<Change[]>} */
  async diff(against = "live", number = this.number) {
    return (await manage(`/revisions/${number}/diff?against=${against}`)).body.changes;
  }

  /** What each bundle has sold in the last 30 days, by its id. @returns {Promise<Map<number, Sales>>} */
  async sales() {
    /** @type {{ rows: Sales[] }} */
    const { rows } = (await manage("/reports/bundles")).body;
    return new Map(rows.map((row) => [row.bundleId, row]));
  }

  /** @returns {Promise<Replayed[]>} */
  async replay() {
    return (await manage(`/revisions/${this.number}/replay`, { method: "POST", body: {}, key: newKey() })).body.bundles;
  }

  /** Publishes the draft. Rejects with an ApiError; its body has the conflicts (409) or the faults (400). @param {{ message?: string, publishAt?: string }} how @returns {Promise<Revision>} */
  publish(how) {
    return this.inTurn(async () => {
      await this.#readTag();
      const { body } = await manage(`/revisions/${this.number}/publish`, {
        method: "POST",
        body: how,
        tag: this.tag,
        key: newKey(),
      });
      this.draft = null;
      await this.reload();
      return body;
    });
  }

  discard() {
    return this.inTurn(async () => {
      await this.#readTag();
      await manage(`/revisions/${this.number}/discard`, { method: "POST", body: {}, tag: this.tag, key: newKey() });
      this.draft = null;
      await this.reload();
    });
  }

  /** Begins a draft that restores a revision, and opens it. @param {number} number */
  async revert(number) {
    const { tag } = await manage(`/revisions/${number}`);
    const { body } = await manage(`/revisions/${number}/revert`, { method: "POST", body: {}, tag, key: newKey() });
    await this.readDrafts();
    await this.choose(body);
  }

  /**
   * Puts a new draft in the place of this one, with what is live by now as its base. Where both changed the same, `takesMine`
   * decides.
   *
   * @param {(clash: Clash, kind: string, id: string) => boolean} takesMine
   */
  async rebase(takesMine) {
    const old = this.draft;
    if (!old) return;
    const base = (await manage(`/revisions/${old.base}/content`)).body;
    const mine = this.content;
    await this.inTurn(async () => {
      const { body, tag } = await manage("/revisions", {
        method: "POST",
        body: { message: old.message },
        key: newKey(),
      });
      this.live = (await manage("/revisions/live/content")).body;
      this.draft = body;
      this.tag = tag;
      for (const { kind, id, item } of rebased(base, this.live, mine, takesMine)) {
        await this.write(`/${kind}/${id}`, item === undefined ? "DELETE" : "PUT", item);
      }
      const { tag: oldTag } = await manage(`/revisions/${old.number}`);
      await manage(`/revisions/${old.number}/discard`, { method: "POST", body: {}, tag: oldTag, key: newKey() });
      await this.reload();
    });
  }

  /**
   * The revisions that are scheduled to be published by a time, in that order, each with the tag of its content.
   *
   * @param {string} time a local time of the shop, such as 2026-11-27T00:00
   * @returns {Promise<{ revision: Revision, tag: string }[]>}
   */
  async scheduledBy(time) {
    /** @type {Revision[]} */
    const all = (await manage("/revisions?state=scheduled&limit=100")).body;
    const due = all
      .filter(({ publishAt, problem }) => publishAt && !problem && this.localTime(publishAt) <= time)
      .sort((one, other) => Date.parse(one.publishAt ?? "") - Date.parse(other.publishAt ?? ""));
    const read = due.map(async ({ number }) => manage(`/revisions/${number}`));
    return (await Promise.all(read)).map(({ body, tag }) => ({ revision: body, tag }));
  }

  /** A time as a clock in the shop shows it, in the form that bundles have it. @param {string} time ISO 8601 */
  localTime(time) {
    const timeZone = this.content.shop.timezone ?? "UTC";
    return new Date(time).toLocaleString("sv", { timeZone }).replace(" ", "T").slice(0, 16);
  }

  /** @returns {Promise<Revision[]>} */
  async revisions() {
    return (await manage("/revisions?limit=100")).body;
  }

  /**
   * A part of the products of the shop's platform with the words of a text.
   *
   * @param {string} text
   * @param {string} after the `next` of the part before; "" for the first
   * @param {number} limit
   * @param {AbortSignal} signal
   * @returns {Promise<{ products: Product[], next: string }>}
   */
  async products(text, after, limit, signal) {
    const query = new URLSearchParams({ search: text, limit: String(limit), ...(after ? { cursor: after } : {}) });
    const { body, next } = await manage(`/products?${query}`, { signal });
    return { products: body.products, next };
  }

  /** A part of the bundles that the shop's platform has itself. @param {string} after @returns {Promise<{ bundles: PlatformBundle[], next: string }>} */
  async platformBundles(after) {
    const { body, next } = await manage(
      `/platform-bundles${after ? `?${new URLSearchParams({ cursor: after })}` : ""}`,
    );
    return { bundles: body, next };
  }

  /** Looks from time to time whether somebody else has changed the draft. A file says by itself when it has changed. */
  watch() {
    if (this.file) return this.file.follow(this);
    const look = async () => {
      if (document.visibilityState === "visible") await this.inTurn(() => this.#look()).catch(() => {});
      this.#timer = setTimeout(look, LOOK_MS);
    };
    this.#timer = setTimeout(look, LOOK_MS);
  }

  async #look() {
    const { body, tag } = await manage(this.draft ? `/revisions/${this.number}` : "/shop");
    if (!this.draft) {
      if (body.live !== this.shop.live) await this.reload();
    } else if (body.state !== "draft") await this.reload();
    else if (tag !== this.tag) await this.choose(body);
  }

  end() {
    clearTimeout(this.#timer);
    this.file?.end();
  }

  /** Tells who shows the workspace that something about it has changed. */
  tellChanged() {
    this.#tell("changed");
  }

  #tell(/** @type {string} */ name) {
    this.dispatchEvent(new Event(name));
  }
}

/**
 * The result of some work, tried again for as long as the service cannot be reached.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function retrying(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passes) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(RETRY_MS, error.retryAfter * 1000)));
    }
  }
}
