export type { BundlesPluginOptions } from "./options";
export { BundlesPlugin } from "./plugin";
export { type Reason, REASONS } from "./promise/reasons";
export type { WebhookOptions } from "./webhooks/address";
