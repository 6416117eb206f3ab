"""Tests of the studio's server."""
