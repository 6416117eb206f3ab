"""The drafts that are currently shown, each in one version of its content (identified by a tag), and as of one point in time."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.publication import utc_seconds
from bundlesvc.domain.shop import Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.ports import Clock, Ids, Platform
from bundlesvc.shop_file.plain import read_content
from bundlesvc.shop_file.scalars import Unfit, local_time
from bundlesvc.single_flight import SingleFlight
from bundlesvc.studio.drafts.draft_api import DraftApi
from bundlesvc.studio.drafts.draft_shop import DraftShop

MAX_DRAFTS = 12
"""The maximum number of drafts to keep in memory, across all shops. A dropped draft is read again when it is next requested."""

NOW = "now"
"""The time of a preview that shows every bundle in the draft, whatever its publication times."""


class ShownDraft(NamedTuple):
    """A draft that is shown: the row id of its shop, its number, the tag of its content, and the time as of which it is shown:
    `NOW`, or a local time of the shop such as `2026-11-27T00:00`."""

    shop_id: int
    number: str
    tag: str
    time: str


ReadContent = Callable[[], Awaitable[Mapping[str, Any]]]


class DraftPreviews:
    """Creates an API for each draft that is shown, and caches it for later requests."""

    def __init__(self, platform: Platform, clock: Clock, ids: Ids) -> None:
        self._platform = platform
        self._clock = clock
        self._ids = ids
        self._drafts: LruMapping[ShownDraft, DraftApi] = LruMapping(MAX_DRAFTS)
        self._making: SingleFlight[ShownDraft, DraftApi] = SingleFlight()
        self._parts: list[Callable[[DraftApi], None]] = []

    def add_part(self, add: Callable[[DraftApi], None]) -> None:
        """Register `add`, which adds the endpoints of a capability to the API of each draft."""
        self._parts.append(add)

    async def find(self, shown: ShownDraft, tenant: Tenant, read: ReadContent) -> DraftApi:
        """Return the API of a draft; `read` returns the content of the draft. Raises InvalidRequest if the time or the draft is
        invalid (with every fault of the draft), and any error raised by `read`."""
        found = self._drafts.get(shown)
        if found is None:
            found = await self._making.join(shown, lambda: self._make(shown, tenant, read))
        return found

    async def _make(self, shown: ShownDraft, tenant: Tenant, read: ReadContent) -> DraftApi:
        shop_file, faults = await asyncio.to_thread(read_content, await read())
        if shop_file is None:
            raise InvalidRequest([Fault(".".join(map(str, each.path)), "invalid", each.message) for each in faults])
        shop = DraftShop(tenant, shop_file, seconds_of(shown.time, shop_file.shop.timezone))
        made = DraftApi(shop, self._platform, self._clock, self._ids)
        for add in self._parts:
            add(made)
        self._drafts[shown] = made
        return made


def seconds_of(time: str, timezone: str) -> int | None:
    """Convert the time of a preview to seconds since 1970; None for `NOW`. Raises InvalidRequest."""
    if time == NOW:
        return None
    try:
        return utc_seconds(local_time(time), timezone)
    except (Unfit, OverflowError):
        message = f'Must be "{NOW}" or a local time such as 2026-11-27T00:00.'
        raise InvalidRequest([Fault("time", "invalid", message)]) from None
