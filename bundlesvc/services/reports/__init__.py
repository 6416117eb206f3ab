"""Reads the figures of a shop's reports."""
