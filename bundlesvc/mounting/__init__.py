"""The assembly of the service: its adapters, the core, and one module per capability."""
