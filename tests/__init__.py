"""The tests mirror the package: the tests of a module are at the same relative path."""
