"""Tests of what operators do with the plugin: install, configure, inspect and remove it."""
