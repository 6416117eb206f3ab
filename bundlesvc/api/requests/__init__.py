"""Parses the content of requests: fields, schemas, selections."""
