/** Opens Swagger UI over this service's OpenAPI document, with a search over operations instead of tags alone. */

/** The operations whose path, summary, description or name holds every word of the phrase. */
const searchOperations = () => ({
  fn: {
    opsFilter: (taggedOperations, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      const found = (entry) => {
        const operation = entry.get("operation");
        const texts = [entry.get("path"), entry.get("method"), operation.get("summary"), operation.get("description"), operation.get("operationId")];
        const text = texts.join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return taggedOperations
        .map((tag) => tag.set("operations", tag.get("operations").filter(found)))
        .filter((tag) => tag.get("operations").size > 0);
    },
  },
});

const viewer = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [searchOperations],
  onComplete: () => {
    const key = document.body.dataset.demoKey;
    if (key) viewer.preauthorizeApiKey("key", key);
    const search = document.querySelector(".operation-filter-input");
    if (search) {
      search.placeholder = "Search operations";
      search.setAttribute("aria-label", "Search operations");
    }
  },
});
