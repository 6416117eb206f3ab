"""The drafts that are shown at the moment, each as it was when its tag was current."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.shop import Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.ports import Clock, Ids, Platform
from bundlesvc.shop_file.plain import read_content
from bundlesvc.single_flight import SingleFlight
from bundlesvc.studio.drafts.draft_api import DraftApi

MAX_DRAFTS = 12
"""The most drafts to hold, of all shops. One that was dropped is read again when it is asked for."""

Key = tuple[int, str, str]
"""Shop, number of the draft, and the tag of its content."""

ReadContent = Callable[[], Awaitable[Mapping[str, Any]]]


class DraftPreviews:
    """Makes the API of each draft once."""

    def __init__(self, platform: Platform, clock: Clock, ids: Ids) -> None:
        self._platform = platform
        self._clock = clock
        self._ids = ids
        self._drafts: LruMapping[Key, DraftApi] = LruMapping(MAX_DRAFTS)
        self._making: SingleFlight[Key, DraftApi] = SingleFlight()

    async def find(self, tenant: Tenant, number: str, tag: str, read: ReadContent) -> DraftApi:
        """The API of a draft, whose content `read` returns. Raises InvalidRequest with every fault of a draft that is not valid,
        and what `read` raises."""
        key = (tenant.id, number, tag)
        found = self._drafts.get(key)
        if found is None:
            found = await self._making.join(key, lambda: self._make(key, tenant, read))
        return found

    async def _make(self, key: Key, tenant: Tenant, read: ReadContent) -> DraftApi:
        shop_file, faults = await asyncio.to_thread(read_content, await read())
        if shop_file is None:
            raise InvalidRequest([Fault(".".join(map(str, each.path)), "invalid", each.message) for each in faults])
        made = self._drafts[key] = DraftApi(tenant, shop_file, self._platform, self._clock, self._ids)
        return made
