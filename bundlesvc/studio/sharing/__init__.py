"""Preview links, which show a bundle of a draft to people without a key (docs/studio.md#preview-links)."""
