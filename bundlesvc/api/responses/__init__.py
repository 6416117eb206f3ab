"""Response bodies: how they are rendered, and their schemas, which are the only description of every JSON body that the service
sends.

The OpenAPI document is generated from the schemas, and the client's TypeScript types from that document. Tests check every
response against the schemas (docs/decisions/0019-one-description-per-wire-shape.md).
"""
