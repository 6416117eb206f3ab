"""Errors about stored documents that cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager


class DocumentDamaged(ValueError):
    """Raised when a stored document is not valid JSON, or lacks expected fields. `shop` is the handle of its shop, if known. The
    message is meant for the operator."""

    def __init__(self, shop: str | None = None) -> None:
        of_shop = f"{shop}: " if shop else ""
        super().__init__(
            f"{of_shop}a stored document cannot be read. `bundlesvc db check` lists what is damaged, and loading the shop's file "
            "again repairs the shop; else restore a backup."
        )
        self.shop = shop


@contextmanager
def documents_of(shop: str) -> Iterator[None]:
    """Add the shop's handle to the error when one of its documents is damaged."""
    try:
        yield
    except DocumentDamaged as error:
        raise DocumentDamaged(shop) from error
