/** The client module (docs/client.md). Types and documentation are in client.d.ts. */

export { CartDataError, cartLines, mergeBundles, removeBundle } from "./cart.js";
export { evaluateConditions } from "./conditions.js";
export { configureForCountry } from "./country.js";
export * as decimal from "./decimal.js";
export { evaluateSelection, requestBody, shownPrice } from "./evaluation.js";
export { formatMoney, priceFormatter } from "./money-format.js";
export { SelectionTextError, decodeSelection, encodeSelection } from "./selection-text.js";
export { NetworkError, ServiceError, createClient } from "./service.js";
