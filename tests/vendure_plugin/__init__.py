"""Tests of the plugin for Vendure: its checks alone in Node, and on the real engine."""
