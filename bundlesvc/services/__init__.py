"""The use cases, one module each. They know the domain and the ports, and nothing of web, SQL or crypto."""
