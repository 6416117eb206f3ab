"""Tests of the plugin for Vendure: its checks on their own in Node, and the plugin in the real engine."""
