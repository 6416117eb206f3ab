"""Refuses addresses inside the host's own network, so that a shop's URL cannot direct the service's requests there."""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from bundlesvc.domain.events.url import is_public


class PrivateAddress(OSError):
    """The host has no public address, for example because it is on a private network."""


class PublicResolver(AbstractResolver):
    """Resolves names to public addresses only. The connection uses exactly the address that was checked, so the name cannot
    resolve to a different address in between."""

    def __init__(self) -> None:
        self._resolver = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._resolver.resolve(host, port, family)
        public = [each for each in found if is_public(each["host"])]
        if not public:
            raise PrivateAddress(f"{host} is in a private network")
        return public

    async def close(self) -> None:
        await self._resolver.close()
