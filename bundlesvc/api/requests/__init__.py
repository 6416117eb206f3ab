"""From the bytes of a request to values: fields, schemas, selections."""
