"""The shop's data as the platform's graph: plain dicts with the schema's field names.

A callable value is called with the field's arguments when a query selects the field. The value of a connection is `Items`. A
field that is missing in a dict is unknown to the stand-in, which raises an error.
"""
