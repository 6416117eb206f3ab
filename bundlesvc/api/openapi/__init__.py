"""The OpenAPI document of the APIs."""
