"""How the service is put together: its adapters, the core, and one module for each capability around it."""
