"""The tests mirror the package: the tests for a module are at the same relative path."""
