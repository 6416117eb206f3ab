"""Checks that Schemathesis cannot derive from the OpenAPI document. `schemathesis.toml` refers to this module."""

from typing import Any

import schemathesis

SHAPE_CODES = {"invalid_json", "invalid_request"}


@schemathesis.check
def a_valid_shape_is_not_called_invalid(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """A body that matches the document may be refused for its content, but not for its shape."""
    if case.meta is not None and case.meta.generation.mode.is_positive and response.status_code == 400:
        assert response.json()["code"] not in SHAPE_CODES, response.text
