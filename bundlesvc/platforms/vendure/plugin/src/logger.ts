/** The name that the plugin's log lines have. */
export const LOGGER = "BundlesPlugin";
