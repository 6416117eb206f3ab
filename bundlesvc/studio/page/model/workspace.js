/** The data that the studio works on: the live shop, and the open draft with its changes. */

import { ApiError, manage, newKey } from "./api.js";

/** @import { Bundle, Content, Experiment, Revision, SessionInfo, ShopSection } from "../types.js" */

const LOOK_MS = 4000;
const RECENT = "bundlesvc-studio-draft";

/** @import { FollowedFile } from "./followed-file.js" */

/** @typedef {ShopSection & { live: number }} Shop */

/** Sends `changed` when a draft was opened, left, or changed elsewhere, and `saved` after each of its own writes. */
export class Workspace extends EventTarget {
  /** The bundles that are being edited, or are not saved yet. @type {Set<{ saved: () => Promise<void> }>} */
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
  /** The currency of a live platform. "" while it is unknown. */
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

  /** The number of the revision that is shown: the draft, or the live revision. */
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

  /** The currency of all amounts. "" while it is unknown. */
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

  /** Resolves when everything that was typed has been saved. */
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
    this.tellChanged();
  }

  /** Fetches everything again. Shows the open draft if it still exists, otherwise the live revision. */
  async reload() {
    const [shop, live] = await Promise.all([manage("/shop"), manage("/revisions/live/content"), this.readDrafts()]);
    this.shop = shop.body;
    this.live = live.body;
    const same = this.drafts.find(({ number }) => number === this.draft?.number);
    if (same) return this.choose(same);
    this.draft = null;
    this.content = this.live;
    this.tag = live.tag;
    this.tellChanged();
  }

  /** Shows the live revision, after the draft was published or discarded. */
  leaveDraft() {
    this.draft = null;
    return this.reload();
  }

  /** Returns the open draft; the first change creates one. */
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
   * Begins some work when all earlier work is done. This guarantees that the draft's tag is the tag after the last
   * write.
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
   * Writes to the draft. Rejects with an ApiError, whose status is 412 when somebody else has written to the draft in
   * the meantime.
   *
   * @param {string} path below the draft
   * @param {string} method
   * @param {unknown} [body]
   */
  async write(path, method, body) {
    const draft = await this.#openDraft();
    const result = await manage(`/revisions/${draft.number}${path}`, { method, body, tag: this.tag });
    if (result.tag) this.tag = result.tag;
    else await this.readTag();
    return result.body;
  }

  /**
   * Writes a part that nobody else is likely to change, even if somebody has changed other parts of the draft.
   *
   * @param {string} path
   * @param {string} method
   * @param {unknown} [body]
   */
  writeAnyway(path, method, body) {
    return this.inTurn(() => this.writeUntilTaken(path, method, body));
  }

  /**
   * Does the same as `writeAnyway`, within a turn that has already begun.
   *
   * @param {string} path
   * @param {string} method
   * @param {unknown} [body]
   */
  async writeUntilTaken(path, method, body) {
    for (let left = 5; ; left -= 1) {
      try {
        return await this.write(path, method, body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || left === 0) throw error;
        await this.readTag();
      }
    }
  }

  /** The bundle in the current draft; undefined when it has been deleted. @param {number} id @returns {Promise<Bundle | undefined>} */
  readBundle(id) {
    return this.readItem(`/bundles/${id}`);
  }

  /** An item of the current draft; undefined when it has been deleted. @param {string} path below the draft @returns {Promise<any>} */
  async readItem(path) {
    try {
      const { body, tag } = await manage(`/revisions/${this.number}${path}`);
      this.tag = tag;
      return body;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Reads the tag of what is shown, which others may have changed. */
  async readTag() {
    this.tag = (await manage(`/revisions/${this.number}`)).tag;
  }

  /** Stores the current state of a bundle, and notifies its views. @param {Bundle} bundle */
  note(bundle) {
    const others = this.content.bundles.filter(({ id }) => id !== bundle.id);
    this.content = { ...this.content, bundles: [...others, bundle].sort((one, other) => one.id - other.id) };
    this.tellSaved();
  }

  /** Stores the current A/B tests. @param {readonly Experiment[]} experiments */
  noteExperiments(experiments) {
    this.content = { ...this.content, experiments };
    this.tellSaved();
  }

  /** A time in the shop's time zone, in the form that bundles use. @param {string} time ISO 8601 */
  localTime(time) {
    const timeZone = this.content.shop.timezone ?? "UTC";
    return new Date(time).toLocaleString("sv", { timeZone }).replace(" ", "T").slice(0, 16);
  }

  /**
   * Checks periodically whether somebody else has changed the draft. For a followed file, the service reports each
   * change instead.
   */
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

  /** Notifies the views of the workspace of a change. */
  tellChanged() {
    this.dispatchEvent(new Event("changed"));
  }

  /** Notifies the views of the workspace that one of its own writes was stored. */
  tellSaved() {
    this.dispatchEvent(new Event("saved"));
  }
}
