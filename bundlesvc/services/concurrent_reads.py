"""Runs independent reads at the same time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from bundlesvc.domain.shop import EMBEDDED, Tenant

A = TypeVar("A")
B = TypeVar("B")


async def read_both(
    tenant: Tenant, first: Callable[[], Coroutine[Any, Any, A]], second: Callable[[], Coroutine[Any, Any, B]]
) -> tuple[A, B]:
    """The results of two reads, which run at the same time for a live platform because each may need a call. Raises what
    `first` raises, else what `second` raises."""
    if tenant.shop.platform.kind == EMBEDDED:
        return await first(), await second()
    ahead = asyncio.create_task(second())
    try:
        return await first(), await ahead
    finally:
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)
