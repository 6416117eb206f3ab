"""The OpenAPI document that describes the APIs."""
