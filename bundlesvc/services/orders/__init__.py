"""Receives, judges and lists orders, and quotes refunds."""
