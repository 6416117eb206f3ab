"""The results of A/B tests (docs/experiments.md). Floats are used only here, because no shopper is charged any of these
figures."""
