"""The use cases. They import the domain and the ports, and no web, SQL or crypto library."""
