"""Publishes a draft, now or at a scheduled time, merged with what is live at that moment."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from bundlesvc.domain.errors import Fault, InvalidRequest, NotFound, Refused
from bundlesvc.domain.revisions.audit import SCHEDULE, UNSCHEDULE
from bundlesvc.domain.revisions.items import DraftItem, content_of, items_of, merge_draft
from bundlesvc.domain.revisions.plain import dotted
from bundlesvc.domain.revisions.refusals import (
    RevisionConflict,
    RevisionInvalid,
    RevisionOutdated,
    RevisionState,
    SecondPersonRequired,
)
from bundlesvc.domain.revisions.revision import DRAFT, LIVE, SCHEDULED, Act, Actor, Revision, Seen
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.ports import Clock
from bundlesvc.ports.revisions import ContentFormat, RevisionStore
from bundlesvc.services.revisions.drafts import check_open, check_seen

NAMED = 3
"""The maximum number of faults or conflicts listed in the problem that is stored with a scheduled revision."""

DONE, LEFT = RESULTS = ("published", "refused")
"""The results of an attempt to publish a scheduled revision."""

SCHEDULER = "schedule"
"""The name of the service in the audit log when it publishes a scheduled revision."""


class Publishing:
    """Publishes and schedules drafts."""

    def __init__(self, store: RevisionStore, contents: ContentFormat) -> None:
        self._store = store
        self._contents = contents

    async def publish(self, tenant: Tenant, act: Act, number: int, seen: Seen, message: str | None) -> Revision:
        """Merge a draft with the live revision and make the result live, in one step. Raises SecondPersonRequired,
        RevisionConflict, RevisionInvalid, and what `Drafts` raises; in these cases, nothing is written."""
        revision = await self._store.revision(tenant, number)
        check_open(revision, seen)
        return await self._publish(tenant, act, revision, message, await self._own_work(tenant, act, revision))

    async def schedule(
        self, tenant: Tenant, act: Act, number: int, seen: Seen, message: str | None, publish_at: int
    ) -> Revision:
        """Schedule a draft to be published at a given time (a Unix timestamp). The draft is checked now, and again at that time.
        Raises InvalidRequest for a time that has passed, and what `publish` raises."""
        revision = await self._store.revision(tenant, number)
        check_open(revision, seen)
        if publish_at <= act.now:
            raise InvalidRequest(
                [Fault("publishAt", "invalid", "Must be later than now. Leave it out to publish now.")]
            )
        await self._check(tenant, revision, await self._own_work(tenant, act, revision))
        to = replace(
            revision, state=SCHEDULED, publish_at=publish_at, problem=None, message=_message(revision, message)
        )
        return await self._store.change(tenant, act, revision, to, SCHEDULE)

    async def unschedule(self, tenant: Tenant, act: Act, number: int, seen: Seen) -> Revision:
        """Turn a scheduled revision back into a draft. Raises the same exceptions as `Drafts`."""
        revision = await self._store.revision(tenant, number)
        check_seen(revision, seen)
        if revision.state != SCHEDULED:
            raise RevisionState(f"This revision is {revision.state}. Only scheduled revisions can be unscheduled.")
        to = replace(revision, state=DRAFT, publish_at=None, problem=None)
        return await self._store.change(tenant, act, revision, to, UNSCHEDULE)

    async def publish_due(self, tenant: Tenant, revision: Revision, now: int, origin: str) -> str | None:
        """Publish a scheduled revision that is due. If it cannot be published, it stays scheduled, and the problem is stored.
        Returns the outcome, one of `RESULTS`, or None when another process has already handled the revision or somebody has
        changed it."""
        act = Act(Actor(SCHEDULER, origin, revision.source), now)
        try:
            await self._publish(tenant, act, revision, None)
        except RevisionOutdated:
            return None
        except (Refused, RevisionInvalid) as refused:
            await self._store.report(tenant, revision, _problem(refused), now)
            return LEFT
        return DONE

    async def _publish(
        self, tenant: Tenant, act: Act, revision: Revision, message: str | None, own_work_of: Collection[str] = ()
    ) -> Revision:
        draft = await self._draft(tenant, revision)
        merged = self._merged(tenant, draft, own_work_of)
        text = _message(revision, message)
        if not act.dry_run:
            return await self._store.publish(tenant, act, revision, text, merged)
        live = await self._store.read(tenant, None)
        await asyncio.to_thread(merged, live.shop_file)
        return replace(revision, state=LIVE, message=text, published_at=act.now, publish_at=None, problem=None)

    async def _own_work(self, tenant: Tenant, act: Act, revision: Revision) -> Collection[str]:
        """Return the authors of a draft if the actor is one of them, or an empty collection otherwise."""
        authors = await self._store.authors(tenant, revision.number)
        return authors if act.actor.name in authors else ()

    async def _check(self, tenant: Tenant, revision: Revision, own_work_of: Collection[str]) -> None:
        """Check that a revision could be published now. Raises SecondPersonRequired, RevisionConflict, RevisionInvalid."""
        draft = await self._draft(tenant, revision)
        live = await self._store.read(tenant, None)
        await asyncio.to_thread(self._merged(tenant, draft, own_work_of), live.shop_file)

    async def _draft(self, tenant: Tenant, revision: Revision) -> Sequence[DraftItem]:
        """Return the items that a draft changes. Raises RevisionOutdated when the draft has changed since it was read."""
        found, draft = await self._store.draft(tenant, revision.number)
        if found != revision:
            raise RevisionOutdated
        return draft

    def _merged(
        self, tenant: Tenant, draft: Sequence[DraftItem], own_work_of: Collection[str]
    ) -> Callable[[ShopFile | None], ShopFile]:
        """Return a function that applies a draft to the live shop. The function raises RevisionConflict, RevisionInvalid,
        NotFound when the shop no longer exists, and SecondPersonRequired when `own_work_of` names authors and the shop requires a
        second person to publish."""

        def merged(live: ShopFile | None) -> ShopFile:
            if live is None:
                raise NotFound
            if own_work_of and live.shop.second_person_publishes:
                raise SecondPersonRequired(own_work_of)
            found = merge_draft(items_of(self._contents.content(live)), draft)
            if found.conflicts:
                raise RevisionConflict(found.conflicts)
            shop_file = self._contents.shop_file(content_of(found.items))
            if shop_file.shop.handle != tenant.shop.handle:
                raise RevisionInvalid([Fault("shop.handle", "invalid", f"Must stay {tenant.shop.handle}.")])
            return shop_file

        return merged


class Schedule:
    """Publishes scheduled revisions on time; any number of processes may run it. `results` counts revisions by outcome; `waiting`
    is the number of revisions that were still overdue after the last run."""

    def __init__(self, store: RevisionStore, publishing: Publishing, clock: Clock, origin: str) -> None:
        self._store = store
        self._publishing = publishing
        self._clock = clock
        self._origin = origin
        self.results: Counter[str] = Counter()
        self.waiting = 0

    async def run(self) -> None:
        """Publish the revisions that are due. Raises StorageUnavailable."""
        now = int(self._clock.now())
        for tenant, revision in await self._store.due(now):
            result = await self._publishing.publish_due(tenant, revision, now, self._origin)
            if result is not None:
                self.results[result] += 1
        self.waiting = await self._store.overdue()


def _message(revision: Revision, message: str | None) -> str:
    return revision.message if message is None else message


def _problem(refused: Refused | RevisionInvalid) -> str:
    """Explain why a scheduled revision could not be published, listing the first few faults."""
    if isinstance(refused, RevisionConflict):
        faults = [dotted(conflict.path) for conflict in refused.conflicts]
    elif isinstance(refused, RevisionInvalid):
        faults = [f"{fault.path}: {fault.message}" for fault in refused.faults]
    else:
        return str(refused)
    more = f"; and {len(faults) - NAMED} more" if len(faults) > NAMED else ""
    return f"{refused} {'; '.join(faults[:NAMED])}{more}"
