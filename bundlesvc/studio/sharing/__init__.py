"""Preview links: people without a key see a bundle of a draft (docs/studio.md#preview-links)."""
