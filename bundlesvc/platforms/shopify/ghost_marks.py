"""How a ghost variant is told from a product's own variants."""

import re
from collections.abc import Mapping
from typing import Any

SKU_PREFIX = "bundlesvc:"
_IDENTITY = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)


def ghost_sku(option_value: str) -> str:
    return f"{SKU_PREFIX}{option_value}"


def is_ghost(variant: Mapping[str, Any]) -> bool:
    """By its SKU; or by an option value that is an identity (SHA-256 in hex), should somebody have changed the SKU."""
    values = (option["value"] for option in variant["selectedOptions"])
    return (variant["sku"] or "").startswith(SKU_PREFIX) or any(_IDENTITY.match(value) for value in values)
