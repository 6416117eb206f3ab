"""The commerce platforms that a shop's products can come from: the embedded platform, and live platforms."""
