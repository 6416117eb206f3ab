"""Tests of what all live platforms share."""
