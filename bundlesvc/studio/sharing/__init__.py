"""Preview links, which show a bundle in a draft to people without a key (docs/studio.md#preview-links)."""
