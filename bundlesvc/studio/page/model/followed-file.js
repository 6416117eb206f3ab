/** The shop file that the studio follows, if it shows one: the service's report about it after each change. */

/** @import { Finding } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * @typedef {{ readonly isCurrent: boolean, readonly savedAt: string | null, readonly findings: readonly Finding[] }} FileState
 *   `isCurrent`: the file is what is shown, rather than the last state of it that could be loaded
 */

export class FollowedFile {
  /** @type {FileState} */
  state = { isCurrent: false, savedAt: null, findings: [] };
  /** Whether the service that follows the file has stopped. */
  hasEnded = false;
  #events = new EventSource("/studio/file/events");
  #first = this.state;
  /** @type {() => void} */
  #then = () => {};

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** Resolves when the state is known. */
    this.opened = new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      this.#then = () => {
        this.#first = this.state;
        this.#then = () => {};
        resolve();
      };
    });
    this.#events.addEventListener("message", ({ data }) => {
      this.state = JSON.parse(data);
      this.hasEnded = false;
      this.#then();
    });
    this.#events.addEventListener("error", () => {
      if (this.hasEnded) return; // the browser goes on trying
      this.hasEnded = true;
      this.#then();
    });
  }

  /** The linter's findings about what is shown; none while an older state of the file is shown. */
  get findings() {
    return this.state.isCurrent ? this.state.findings : [];
  }

  /** The faults that prevent the file from being shown. */
  get faults() {
    return this.state.isCurrent ? [] : this.state.findings;
  }

  /** Makes a workspace, which was read after the file was opened, show each later state. @param {Workspace} workspace */
  follow(workspace) {
    this.#then = () => {
      const isNew = this.state.isCurrent && !this.hasEnded;
      workspace.inTurn(async () => (isNew ? workspace.reload() : workspace.tellChanged())).catch(() => {}); // the service has stopped
    };
    if (this.state !== this.#first) this.#then();
  }

  end() {
    this.#events.close();
  }
}
