"""Tests of the domain: pure rules, without input and output."""
