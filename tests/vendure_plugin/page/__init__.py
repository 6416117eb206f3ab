"""A shop page that uses a real Vendure engine."""
