"""Sends events over HTTP, and counts what came of it."""
