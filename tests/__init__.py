"""The tests mirror the package: a module's tests stand at the same place."""
