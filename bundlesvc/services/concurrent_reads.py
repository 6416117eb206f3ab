"""Runs independent reads concurrently."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from bundlesvc.domain.shop import EMBEDDED, Tenant

A = TypeVar("A")
B = TypeVar("B")


async def read_both(
    tenant: Tenant, first: Callable[[], Coroutine[Any, Any, A]], second: Callable[[], Coroutine[Any, Any, B]]
) -> tuple[A, B]:
    """Return the results of two reads. For a live platform they run concurrently, because each may need a call. Raises what
    `first` raises, otherwise what `second` raises."""
    if tenant.shop.platform.kind == EMBEDDED:
        return await first(), await second()
    ahead = asyncio.create_task(second())
    try:
        return await first(), await ahead
    finally:
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)
