/** The context of the plugin's log lines. */
export const LOGGER = "BundlesPlugin";
