"""The shop's data as the platform's graph: plain dicts with the schema's field names.

A value that is called with the field's arguments is computed when it is asked for; where the schema has a connection, the
value is `Items`. What a dict does not have, the stand-in does not know, and says so.
"""
