"""Tests of the plugin's checks alone, in Node."""
