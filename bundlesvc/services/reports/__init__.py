"""Reads the figures for a shop's reports."""
