/** A bundle that is being edited: its current state, the steps that can be undone, and how it is saved. */

import { ApiError } from "./api.js";
import { changeExperiment } from "./experiments.js";
import { isSame, merge, patchBetween, settled, valueAt, withPart } from "./plain.js";
import { forgetUnsaved, readUnsaved, storeUnsaved } from "./unsaved.js";

/** @import { Bundle, Experiment } from "../types.js" */
/** @import { Clash, Step } from "./plain.js" */
/** @import { Workspace } from "./workspace.js" */

const PAUSE_MS = 700;
const LONGEST_WAIT_MS = 15_000;
/** Changes to one field within this time are undone together. */
const ONE_STEP_MS = 1200;
const MAX_STEPS = 200;

/** @typedef {"saved" | "saving" | "offline" | "asking" | "gone"} State */
/** @typedef {{ bundle: Bundle } | TestChange} Past what undo goes back to: a state of the bundle, or another one of its test */
/** @typedef {{ from: Experiment | undefined, to: Experiment | undefined }} TestChange undefined is no test */
/** @typedef {(clashes: readonly Clash[]) => Promise<boolean[]>} Ask asks for each clash whether mine shall win */

/**
 * Sends `edited` after each change of the bundle; the event's detail says whether the views of the bundle must be redrawn. Sends
 * `state` when the state of saving has changed.
 */
export class BundleDocument extends EventTarget {
  /** @type {State} */
  state = "saved";
  /** @type {Past[]} */
  #undo = [];
  /** @type {Past[]} */
  #redo = [];
  #lastPath = "";
  #lastTime = 0;
  #timer = 0;
  #isSaving = false;
  /** The number of changes to the A/B test that are being stored. */
  #storing = 0;
  #ended = false;
  /** @type {Bundle} */
  #base;

  /**
   * @param {Workspace} workspace
   * @param {Bundle} bundle
   * @param {Ask} ask
   */
  constructor(workspace, bundle, ask) {
    super();
    this.workspace = workspace;
    this.now = bundle;
    this.#base = bundle;
    this.#ask = ask;
    this.#recall();
    workspace.documents.add(this);
    workspace.addEventListener("changed", this.#follow);
    window.addEventListener("online", this.#hurry);
    window.addEventListener("pagehide", this.#leave);
  }

  /** @type {Ask} */
  #ask;

  get id() {
    return this.now.id;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** @param {...Step} path */
  get(...path) {
    return valueAt(this.now, path);
  }

  /**
   * Changes a part; undefined removes it. `isTyped`: the view of the part need not be redrawn.
   *
   * @param {readonly Step[]} path
   * @param {unknown} value
   * @param {{ isTyped?: boolean }} [how]
   */
  set(path, value, { isTyped = false } = {}) {
    const name = path.join(".");
    this.change((bundle) => withPart(bundle, path, value), { isTyped, name });
  }

  /**
   * Computes a part from its current value, which may have changed since the part was drawn.
   *
   * @param {readonly Step[]} path
   * @param {(part: any) => unknown} make
   */
  update(path, make) {
    this.set(path, make(this.get(...path)));
  }

  /**
   * @param {(bundle: Bundle) => Bundle} make
   * @param {{ isTyped?: boolean, name?: string }} [how]
   */
  change(make, { isTyped = false, name = "" } = {}) {
    const now = make(this.now);
    if (isSame(now, this.now)) return;
    const time = Date.now();
    const goesOn = isTyped && name === this.#lastPath && time - this.#lastTime < ONE_STEP_MS;
    if (!goesOn) this.#undoTo({ bundle: this.now });
    this.#redo = [];
    this.#lastPath = isTyped ? name : "";
    this.#lastTime = time;
    this.#become(now, !isTyped);
  }

  /**
   * Changes the A/B test that starts at the bundle. The test belongs to the shop, and is stored immediately.
   *
   * @param {Experiment | undefined} from
   * @param {Experiment | undefined} to
   */
  changeTest(from, to) {
    this.#undoTo({ from: to, to: from });
    this.#redo = [];
    return this.#storeTest({ from, to });
  }

  undo() {
    this.#go(this.#undo, this.#redo);
  }

  redo() {
    this.#go(this.#redo, this.#undo);
  }

  #undoTo(/** @type {Past} */ past) {
    this.#undo = [...this.#undo, past].slice(-MAX_STEPS);
  }

  /** Returns to the last state of one list, and adds the current state to the other. @param {Past[]} list @param {Past[]} other */
  #go(list, other) {
    const past = list.pop();
    if (!past) return;
    if ("bundle" in past) {
      other.push({ bundle: this.now });
      this.#lastPath = "";
      this.#become(past.bundle, true);
    } else {
      other.push({ from: past.to, to: past.from });
      this.#storeTest(past);
    }
  }

  async #storeTest(/** @type {TestChange} */ { from, to }) {
    this.#lastPath = "";
    this.dispatchEvent(new CustomEvent("edited", { detail: { redraws: false } }));
    this.#storing += 1;
    if (this.state === "saved") this.#be("saving");
    try {
      await changeExperiment(this.workspace, from, to, this.#ask);
    } finally {
      this.#storing -= 1;
      this.#settle();
    }
  }

  end() {
    this.#ended = true;
    this.workspace.removeEventListener("changed", this.#follow);
    window.removeEventListener("online", this.#hurry);
    window.removeEventListener("pagehide", this.#leave);
    this.saved().then(() => this.workspace.documents.delete(this));
  }

  get #isStored() {
    return isSame(this.now, this.#base) && !this.#isSaving && !this.#storing;
  }

  /** Resolves when everything is saved. */
  async saved() {
    clearTimeout(this.#timer);
    this.#save();
    while (!this.#isStored && this.state !== "gone") {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #become(/** @type {Bundle} */ now, /** @type {boolean} */ redraws) {
    this.now = now;
    this.#remember();
    this.dispatchEvent(new CustomEvent("edited", { detail: { redraws } }));
    if (this.state === "saved") this.#be("saving");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), PAUSE_MS);
  }

  async #save() {
    if (this.#isSaving) return;
    this.#isSaving = true;
    for (let wait = 1000; !isSame(this.now, this.#base) && this.state !== "gone"; ) {
      this.#be("saving");
      try {
        await this.workspace.inTurn(() => this.#send());
        wait = 1000;
      } catch (error) {
        if (!(error instanceof ApiError) || !error.passes) {
          if (error instanceof ApiError && error.status === 401) break; // the page asks to log in; what was typed stays stored
          if (!(error instanceof ApiError)) throw error;
          await this.workspace.inTurn(() => this.workspace.reload()).catch(() => {});
        }
        if (!(error instanceof ApiError && error.status === 429)) this.#be("offline");
        await this.#pause(Math.max(wait, error instanceof ApiError ? error.retryAfter * 1000 : 0));
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
    this.#isSaving = false;
    this.#settle();
  }

  #settle() {
    if (this.#isStored) this.#be("saved");
  }

  async #send() {
    // The workspace may have read a newer draft in the meantime. Its tag would allow this write, which would overwrite newer changes.
    const read = this.workspace.bundle(this.id);
    if (!isSame(read, this.#base)) return this.#take(read);
    const sent = this.now;
    const patch = patchBetween(this.#base, sent);
    if (patch === undefined) return;
    let stored = sent;
    try {
      stored = (await this.workspace.write(`/bundles/${this.id}`, "PATCH", patch)) ?? sent;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const theirs = await this.workspace.readBundle(this.id);
      if (theirs) this.workspace.note(theirs);
      return this.#take(theirs);
    }
    // The service writes values in its own form, such as 10.00 for 10. What was typed in the meantime stays.
    const { merged, clashes } = merge(sent, stored, this.now);
    this.now = settled(
      merged,
      clashes,
      clashes.map(() => true),
    );
    this.#base = stored;
    this.#remember();
    this.workspace.note(stored);
  }

  /** Merges changes that somebody else has made to the bundle. @param {Bundle | undefined} theirs */
  async #take(theirs) {
    if (!theirs) {
      forgetUnsaved(this.workspace, this.id);
      this.#be("gone");
      return;
    }
    const { merged, clashes } = merge(this.#base, theirs, this.now);
    let made = merged;
    if (clashes.length) {
      this.#be("asking");
      made = settled(merged, clashes, await this.#ask(clashes));
    }
    const isOther = !isSame(made, this.now);
    this.#base = theirs;
    this.now = made;
    this.#remember();
    if (isOther) this.dispatchEvent(new CustomEvent("edited", { detail: { redraws: true, isTheirs: true } }));
  }

  #follow = () => {
    const theirs = this.workspace.bundle(this.id);
    if (this.#isSaving || isSame(theirs, this.#base)) return;
    this.#take(theirs).then(() => {
      if (!isSame(this.now, this.#base)) this.#save();
    });
  };

  /** @type {() => void} */
  #wake = () => {};

  #hurry = () => this.#wake();

  /** Waits for a time, or until the network is back. */
  #pause(/** @type {number} */ ms) {
    return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Tries to save once more. Changes that cannot be saved remain stored in the browser. */
  #leave = () => {
    this.#save();
  };

  /** Stores unsaved changes so that they outlive the page. */
  #remember() {
    if (isSame(this.now, this.#base)) forgetUnsaved(this.workspace, this.id);
    else storeUnsaved(this.workspace, this.id, { base: this.#base, now: this.now });
  }

  /** Loads changes that an earlier page could not save. */
  #recall() {
    const stored = readUnsaved(this.workspace, this.id);
    if (!stored) return;
    const { base, now } = stored;
    const { merged, clashes } = merge(base, this.#base, now);
    this.now = settled(
      merged,
      clashes,
      clashes.map(() => true),
    );
    this.#timer = setTimeout(() => this.#save(), PAUSE_MS);
  }

  #be(/** @type {State} */ state) {
    if (this.state === state || this.#ended) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
