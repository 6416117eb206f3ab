"""Controls how tests are run: the fast subset, the tests that share an engine, and the number of random examples."""
