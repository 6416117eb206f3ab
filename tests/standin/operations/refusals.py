"""GraphQL errors in the platform's wording; each has a `code` in its extensions."""

from typing import Any

from graphql import GraphQLError

SCOPES_GUIDE = "https://shopify.dev/api/usage/access-scopes"
LIMITS_GUIDE = "https://shopify.dev/api/usage/rate-limits"


class Refusal(GraphQLError):
    """A GraphQL error with the platform's error code."""

    def __init__(self, message: str, code: str, **extensions: Any) -> None:
        super().__init__(message, extensions={"code": code, **extensions})


def access_denied(field: str, scope: str) -> Refusal:
    needed = f"`{scope}` access scope."
    message = f"Access denied for {field} field. Required access: {needed}"
    return Refusal(message, "ACCESS_DENIED", documentation=SCOPES_GUIDE, requiredAccess=needed)


def bad_request(message: str) -> Refusal:
    """Build the error for invalid arguments, such as those for paging. The response contains no data."""
    return Refusal(message, "BAD_REQUEST")


def resource_not_found(global_id: str) -> Refusal:
    """Build the error for a global id of a type that the requested field does not accept."""
    return Refusal(f"Invalid id: {global_id}", "RESOURCE_NOT_FOUND")


def too_many(size: int, limit: int) -> Refusal:
    message = f"The input array size of {size} is greater than the maximum allowed of {limit}."
    return Refusal(message, "MAX_INPUT_SIZE_EXCEEDED")


def too_costly(cost: int, limit: int) -> Refusal:
    message = f"Query cost is {cost}, which exceeds the single query max cost limit ({limit})."
    return Refusal(message, "MAX_COST_EXCEEDED", cost=cost, maxCost=limit, documentation=LIMITS_GUIDE)


def throttled() -> Refusal:
    return Refusal("Throttled", "THROTTLED", documentation=LIMITS_GUIDE)


def internal_error(request_id: str) -> Refusal:
    message = f"Internal error. Looks like something went wrong on our end.\nRequest ID: {request_id}"
    return Refusal(message, "INTERNAL_SERVER_ERROR", requestId=request_id)


WITHOUT_DATA = frozenset({"BAD_REQUEST", "INTERNAL_SERVER_ERROR"})
"""Codes of the execution errors that make `data` null."""
