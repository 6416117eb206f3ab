"""Tests of the plugin's checks on their own, in Node."""
