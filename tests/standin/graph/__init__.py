"""The shop's data as the platform's graph: plain dicts with the schema's field names.

A callable value is called with the field's arguments when a query selects the field. The value of a connection is an `Items`
object. If a field is missing from a dict, the stand-in does not support the field and raises an error.
"""
