/** Opens Swagger UI over an OpenAPI document of this service, with a search that covers operations, not only tags. */

/**
 * The Immutable.js collections in which Swagger UI stores its data.
 *
 * @typedef {{ get(key: "operation"): Entry, get(key: string): string | undefined }} Entry
 * @typedef {{ filter(keeps: (entry: Entry) => boolean): Operations, size: number }} Operations
 * @typedef {{ get(key: "operations"): Operations, set(key: "operations", operations: Operations): Tag }} Tag
 * @typedef {{ map(change: (tag: Tag) => Tag): TaggedOperations, filter(keeps: (tag: Tag) => boolean): TaggedOperations }} TaggedOperations
 */

/** Finds the operations whose path, method, summary, description and name together contain every word of the search. */
const searchOperations = () => ({
  fn: {
    /** @type {(taggedOperations: TaggedOperations, phrase: string) => TaggedOperations} */
    opsFilter: (taggedOperations, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      const found = (/** @type {Entry} */ entry) => {
        const operation = entry.get("operation");
        const texts = [
          entry.get("path"),
          entry.get("method"),
          operation.get("summary"),
          operation.get("description"),
          operation.get("operationId"),
        ];
        const text = texts.join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return taggedOperations
        .map((tag) => tag.set("operations", tag.get("operations").filter(found)))
        .filter((tag) => tag.get("operations").size > 0);
    },
  },
});

/** Shows an operation's path as plain text, because a link inside the operation's button cannot be reached. */
const plainPaths = (
  /** @type {{ React: { createElement: (tag: string, props: object, text: string) => unknown } }} */ system,
) => ({
  wrapComponents: {
    DeepLink:
      () =>
      (/** @type {{ text: string }} */ { text }) =>
        system.React.createElement("span", {}, text),
  },
});

/** Labels for the fields that the viewer leaves unlabelled, by the selector of the field. */
const LABELS = {
  ".operation-filter-input": "Search operations",
  "#servers": "Server",
  ".body-param__text": "Request body",
  ".examples-select-element": "Example",
};

function label() {
  for (const [selector, text] of Object.entries(LABELS)) {
    for (const field of document.querySelectorAll(`${selector}:not([aria-label])`))
      field.setAttribute("aria-label", text);
  }
  for (const field of document.querySelectorAll(".parameters :is(input, select):not([aria-label])")) {
    const name = field.closest("tr")?.dataset.paramName;
    if (name) field.setAttribute("aria-label", name);
  }
  for (const code of document.querySelectorAll(
    "#reference :is(pre, .curl, .opblock-body .table-container, .responses-inner):not([tabindex])",
  )) {
    code.setAttribute("tabindex", "0");
  }
}

const { SwaggerUIBundle } = /** @type {any} */ (window);
const reference = document.querySelector("#reference");

const viewer = SwaggerUIBundle({
  url: document.body.dataset.document,
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [searchOperations, plainPaths],
  onComplete: () => {
    const key = document.body.dataset.demoKey;
    if (key) viewer.preauthorizeApiKey("key", key);
    document.querySelector(".operation-filter-input")?.setAttribute("placeholder", "Search operations");
    label();
    if (reference) new MutationObserver(label).observe(reference, { childList: true, subtree: true });
  },
});
