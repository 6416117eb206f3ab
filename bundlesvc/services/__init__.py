"""Use cases of the service. Modules here import only the domain and the ports, and no web, SQL or crypto library."""
