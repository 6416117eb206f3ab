"""Runs several calls at the same time."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_all(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run calls at the same time and return their results in order. The first failure cancels the other calls, and its error is
    raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    return [task.result() for task in tasks]
