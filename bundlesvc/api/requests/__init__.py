"""Parses the bytes of requests: fields, schemas, selections."""
