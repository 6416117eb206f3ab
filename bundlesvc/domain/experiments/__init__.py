"""The results of A/B tests (docs/experiments.md). Here alone floats are used: no figure of it is charged."""
