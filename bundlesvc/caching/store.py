"""Where entries are kept: in the process, or in Redis for all processes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

OVERHEAD_BYTES = 250
"""The memory of an entry beside its name and bytes, roughly."""

DAY_SECONDS = 24 * 60 * 60
"""Nothing is kept for longer: so old an answer serves nobody."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What came of claiming names: those that are ours to ask the platform for, and the bytes of those that somebody else has
    renewed since we saw them. The others are being asked for by somebody else."""

    ours: frozenset[str]
    renewed: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes to be kept, and for how many seconds at most."""

    raw: bytes
    seconds: float = DAY_SECONDS


class Store(Protocol):
    """Bytes by name. `heads` are those of the bytes that the caller saw, empty where it saw none."""

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        """The bytes of many names in one go, in their order."""

    async def claim(self, heads: Mapping[str, bytes], token: str, seconds: float) -> Claims:
        """Claim names for so many seconds at most. A token claims nothing twice."""

    async def settle(self, heads: Mapping[str, bytes], values: Mapping[str, Kept], token: str) -> None:
        """Keep what was read of the claimed names, unless something newer is there, and give the claims back."""

    async def delete(self, names: Iterable[str]) -> None: ...


def entry_cost(name: str, raw: bytes) -> int:
    """The memory that an entry takes, in bytes."""
    return OVERHEAD_BYTES + len(name) + len(raw)
