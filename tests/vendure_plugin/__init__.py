"""Tests of the plugin for Vendure: its checks alone in Node, and the plugin in the real engine."""
