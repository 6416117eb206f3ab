"""Tests of the code that all live platforms share."""
