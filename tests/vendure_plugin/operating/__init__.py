"""Tests of operating the plugin: installing, configuring, inspecting and removing it."""
