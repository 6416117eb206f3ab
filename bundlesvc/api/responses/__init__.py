"""The bodies of responses: their rendering, and their schemas, the one description of every JSON body that the service sends.

The OpenAPI document is made from the schemas, the TypeScript types of the client from that document, and tests hold every
response to it (docs/decisions/0019-one-description-per-wire-shape.md).
"""
