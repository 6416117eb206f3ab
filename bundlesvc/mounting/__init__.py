"""Assembles the service from its adapters, the core, and one module per capability."""
