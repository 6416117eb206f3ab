"""Builds the entries of `userErrors` in the responses to mutations."""

from tests.standin.graph.items import Node


def user_error(message: str, *path: str | int, code: str | None = None) -> Node:
    """Build a user error. `path` leads to the invalid argument, with indices as strings."""
    return {"field": [str(part) for part in path], "message": message, "code": code}


def product_missing(code: str = "PRODUCT_DOES_NOT_EXIST") -> Node:
    return user_error("Product does not exist", "productId", code=code)
