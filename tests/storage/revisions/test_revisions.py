"""Revisions on SQLite and PostgreSQL: drafts, publication, history, files, and other changes to the content."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from bundlesvc.domain.errors import InvalidRequest, NotFound
from bundlesvc.domain.revisions.audit import AuditFilter
from bundlesvc.domain.revisions.items import BUNDLES, PRODUCTS, THE_SHOP, ItemName
from bundlesvc.domain.revisions.plain import dotted
from bundlesvc.domain.revisions.refusals import (
    IdUsed,
    IfMatchRequired,
    RevisionConflict,
    RevisionInvalid,
    RevisionOutdated,
    RevisionState,
)
from bundlesvc.domain.revisions.revision import ANY, DISCARDED, DRAFT, LIVE, PAST, SCHEDULED, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.revisions.publishing import DONE, LEFT
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import shop_differences
from bundlesvc.storage.catalogue.overdue_revisions import overdue_revisions
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import draft_items, past_items
from tests.process.shop import BOX
from tests.storage.prepared import the_shop
from tests.storage.revisions.revising import AT, THE_BOX, THE_MUG, THE_PAIR, Revising, act, renamed


@pytest.fixture
def shop(database: Database, tenant: Tenant) -> Revising:
    """The test shop, as stored by a version of the service without revisions."""
    return Revising(database, tenant)


@pytest.fixture
async def elsewhere(settings: Settings, tenant: Tenant) -> AsyncIterator[Revising]:
    """The revisions of the shop, as another process sees them."""
    async with open_database(settings.database) as database:
        yield Revising(database, tenant)


async def test_shop_from_before_has_a_first_revision(shop: Revising) -> None:
    found = await shop.reading.find(shop.tenant, None)
    assert (found.number, found.state, found.base, found.source) == (1, LIVE, None, "upgrade")
    assert found.created_at > 0
    assert await shop.states() == [(1, LIVE)]


async def test_draft_changes_nothing_until_it_is_published(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    assert (draft.number, draft.state, draft.base, draft.author) == (2, DRAFT, 1, "Mira")
    assert (await shop.bundle())["name"] == "Box"
    assert (await shop.bundle(number=2))["name"] == "Big box"

    made = await shop.publish(draft, AT + 5)

    assert (made.number, made.state, made.published_at) == (2, LIVE, AT + 5)
    assert await shop.states() == [(2, LIVE), (1, PAST)]
    assert (await shop.bundle())["name"] == "Big box"
    assert (await shop.bundle(number=1))["name"] == "Box"


async def test_running_services_notice_a_publication(shop: Revising) -> None:
    before = await SqlKeyStore(shop.database).tenant("demo")
    await shop.publish(await shop.draft(THE_BOX, {"name": "Big box"}))
    after = await SqlKeyStore(shop.database).tenant("demo")
    assert before is not None
    assert after is not None
    assert after.revision > before.revision


async def test_every_revision_keeps_its_content(shop: Revising) -> None:
    contents = {1: await shop.content()}
    patches: list[dict[str, Any]] = [{"name": "A"}, {"name": "B", "imageUrl": "/b.png"}, {"imageUrl": None}]
    for number, patch in enumerate(patches, start=2):
        await shop.publish(await shop.draft(THE_BOX, patch))
        contents[number] = await shop.content()
    new = {**contents[1]["bundles"][0], "id": 50, "name": "New"}
    draft = await shop.drafts.create(shop.tenant, act(), "")
    draft, added = await shop.drafts.add(shop.tenant, act(), draft.number, ANY, {**new, "id": None})
    draft = await shop.drafts.delete(shop.tenant, act(), draft.number, ANY, THE_PAIR_EXPERIMENT)
    draft = await shop.drafts.delete(shop.tenant, act(), draft.number, ANY, THE_PAIR)
    await shop.publish(draft)
    contents[5] = await shop.content()
    await shop.load(renamed(the_shop(), "From the file"))
    contents[6] = await shop.content()

    assert added["id"] == 45
    assert [bundle["id"] for bundle in contents[5]["bundles"]] == [42, 44, 45]
    assert [bundle["id"] for bundle in contents[6]["bundles"]] == [42, 43, 44]
    for number, content in contents.items():
        assert await shop.content(number) == content, number
    assert (await shop.bundle(number=4)) == contents[4]["bundles"][0]
    with pytest.raises(NotFound):
        await shop.bundle(THE_PAIR, 5)


THE_PAIR_EXPERIMENT = ItemName("experiments", "exp-1")


async def test_changes_of_several_are_merged(shop: Revising) -> None:
    mine, yours = [await shop.draft(THE_BOX, patch) for patch in ({"name": "Mine"}, {"imageUrl": "/yours.png"})]
    await shop.publish(yours)
    await shop.publish(mine)
    found = await shop.bundle()
    assert (found["name"], found["imageUrl"]) == ("Mine", "/yours.png")
    assert await shop.states() == [(3, PAST), (2, LIVE), (1, PAST)]
    assert (await shop.bundle(number=3))["name"] == "Box"


async def test_conflict_refuses_a_publication_and_writes_nothing(shop: Revising) -> None:
    mine, yours = [await shop.draft(THE_BOX, {"name": name, "imageUrl": "/x.png"}) for name in ("Mine", "Yours")]
    await shop.publish(yours)
    before = await shop.content()

    with pytest.raises(RevisionConflict) as refused:
        await shop.publish(mine)

    (conflict,) = refused.value.conflicts
    assert dotted(conflict.path) == f"bundles.{BOX}.name"
    assert (conflict.base, conflict.live, conflict.yours) == ("Box", "Yours", "Mine")
    assert await shop.content() == before
    assert await shop.states() == [(3, LIVE), (2, DRAFT), (1, PAST)]
    assert (await shop.bundle(number=2))["name"] == "Mine"


async def test_invalid_draft_is_stored_but_not_published(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"type": "other", "discount": {"value": "x"}})
    findings = await shop.reading.findings(shop.tenant, draft.number)
    before = await shop.content()

    with pytest.raises(RevisionInvalid) as refused:
        await shop.publish(draft)

    paths = {fault.path for fault in refused.value.faults}
    assert {f"bundles.{BOX}.type", f"bundles.{BOX}.discount.value"} <= paths
    assert {(each.path, each.message) for each in findings} == {
        (each.path, each.message) for each in refused.value.faults
    }
    assert await shop.content() == before
    assert (await shop.bundle(number=draft.number))["type"] == "other"


async def test_of_two_publishers_of_one_draft_one_wins(shop: Revising, elsewhere: Revising) -> None:
    for _ in range(5):
        draft = await shop.draft(THE_BOX, {"name": f"Round {await shop.states()}"})
        results = await asyncio.gather(shop.publish(draft), elsewhere.publish(draft), return_exceptions=True)
        assert sorted(type(each).__name__ for each in results) in (
            ["Revision", "RevisionOutdated"],
            ["Revision", "RevisionState"],
        )
        assert [state for _, state in await shop.states()].count(LIVE) == 1


async def test_two_publishers_of_different_drafts_both_publish(shop: Revising, elsewhere: Revising) -> None:
    for number in range(5):
        drafts = [
            await shop.draft(THE_BOX, {"name": f"Box {number}"}),
            await shop.draft(THE_PAIR, {"name": f"Pair {number}"}),
        ]
        await asyncio.gather(shop.publish(drafts[0]), elsewhere.publish(drafts[1]))
        names = [(await shop.bundle(bundle))["name"] for bundle in (THE_BOX, THE_PAIR)]
        assert names == [f"Box {number}", f"Pair {number}"]
    assert [state for _, state in await shop.states()].count(LIVE) == 1


async def test_change_needs_the_state_that_was_seen(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "First"})
    seen = frozenset((draft.tag,))
    await shop.patch(draft, THE_BOX, {"name": "Second"})

    async def change(seen: Any) -> Any:
        return await shop.drafts.put(shop.tenant, act(), draft.number, seen, THE_BOX, {"name": "Third"})

    with pytest.raises(RevisionOutdated):
        await change(seen)
    with pytest.raises(IfMatchRequired):
        await change(None)
    assert (await shop.bundle(number=draft.number))["name"] == "Second"
    await change(ANY)
    assert (await shop.bundle(number=draft.number)) == {"id": BOX, "name": "Third"}


async def test_only_drafts_are_changed(shop: Revising) -> None:
    made = await shop.publish(await shop.draft(THE_BOX, {"name": "Big box"}))
    with pytest.raises(RevisionState):
        await shop.patch(made, THE_BOX, {"name": "Bigger"})
    with pytest.raises(RevisionState):
        await shop.publish(made)
    with pytest.raises(RevisionState):
        await shop.drafts.discard(shop.tenant, act(), made.number, ANY)
    assert (await shop.bundle(number=made.number))["name"] == "Big box"


async def test_discarded_draft_stays_readable(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    assert (await shop.drafts.discard(shop.tenant, act(), draft.number, ANY)).state == DISCARDED
    assert (await shop.bundle(number=draft.number))["name"] == "Big box"
    with pytest.raises(RevisionState):
        await shop.publish(draft)


async def test_draft_of_an_unchanged_shop_is_published(shop: Revising) -> None:
    made = await shop.publish(await shop.drafts.create(shop.tenant, act(), "Nothing"))
    assert (made.state, made.message) == (LIVE, "Nothing")
    assert await shop.states() == [(2, LIVE), (1, PAST)]
    assert await shop.content(1) == await shop.content(2)


async def test_change_back_is_no_change(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    await shop.patch(draft, THE_BOX, {"name": "Box"})
    assert await count(shop, draft_items) == 0
    assert await shop.reading.difference(shop.tenant, draft.number, None) == []


async def test_shop_cannot_become_another_one(shop: Revising) -> None:
    """A draft cannot turn a shop into another one by changing its handle or its platform. The platform's credentials belong to
    the old shop."""
    draft = await shop.drafts.create(shop.tenant, act(), "")
    for patch in ({"handle": "other"}, {"platform": {"kind": "shopify", "domain": "other.example"}}):
        with pytest.raises(InvalidRequest) as refused:
            await shop.patch(draft, THE_SHOP, patch)
        assert [fault.path for fault in refused.value.faults] == [next(iter(patch))]
    shop_changed = await shop.patch(draft, THE_SHOP, {"name": "New name"})
    await shop.publish(shop_changed)
    assert (await shop.content())["shop"]["name"] == "New name"
    assert (await shop.content(1))["shop"]["name"] == "Demo Shop"


async def test_id_of_a_bundle_is_used_once(shop: Revising) -> None:
    one, two = [await shop.drafts.create(shop.tenant, act(), "") for _ in range(2)]
    document = await shop.bundle()
    ids = []
    for draft in (one, two, two):
        _, added = await shop.drafts.add(shop.tenant, act(), draft.number, ANY, {**document, "id": None})
        ids.append(added["id"])
    _, copy = await shop.drafts.duplicate(shop.tenant, act(), one.number, ANY, THE_BOX)
    assert [*ids, copy["id"]] == [45, 46, 47, 48]
    assert (copy["name"], copy["published"]) == ("Box (copy)", False)
    with pytest.raises(IdUsed):
        await shop.drafts.add(shop.tenant, act(), one.number, ANY, {**document, "id": BOX})
    for wrong in ("x", 0, True, -1, 2**53):
        with pytest.raises(InvalidRequest):
            await shop.drafts.add(shop.tenant, act(), one.number, ANY, {**document, "id": wrong})


async def test_loading_a_file_makes_a_revision_and_publishes_it(shop: Revising) -> None:
    assert await shop.load(renamed(the_shop(), "Big box"))
    found = await shop.reading.find(shop.tenant, None)
    assert (found.number, found.base, found.source, found.author) == (2, 1, "file:shop.yaml", "bundlesvc load")
    assert not await shop.load(renamed(the_shop(), "Big box"))
    assert await shop.states() == [(2, LIVE), (1, PAST)]


async def test_first_file_of_a_shop_is_its_first_revision(database: Database, tenant: Tenant) -> None:
    other = replace(the_shop(), shop=replace(the_shop().shop, handle="other"))
    assert await Revising(database, tenant).load(other)
    found = await SqlKeyStore(database).tenant("other")
    assert found is not None
    revising = Revising(database, found)
    assert await revising.states() == [(1, LIVE)]
    assert (await revising.reading.find(found, 1)).source == "file:shop.yaml"


async def test_large_file_makes_the_same_revision(shop: Revising, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file creates the same revision as a small one, although its rows are written in batches before the shop uses
    them."""
    before = await shop.content()
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", 0)
    changed = renamed(replace(the_shop(), markets=(), products=(*the_shop().products[:3], NEW_PRODUCT)), "Big box")
    changed = replace(changed, bundles=tuple(each for each in changed.bundles if each.id != 43), experiments=())
    await shop.load(changed)
    assert await shop.states() == [(2, LIVE), (1, PAST)]
    assert await shop.content(1) == before
    assert [product["id"] for product in (await shop.content())["products"]] == [111, 222, 900, 902]
    await shop.load(the_shop())
    assert await shop.content() == before
    assert await shop.content(1) == before
    assert (await shop.content(2))["bundles"][0]["name"] == "Big box"


NEW_PRODUCT = replace(
    the_shop().products[3], id=902, handle="new", variants=(replace(the_shop().products[3].variants[0], id=9021),)
)


async def test_stock_and_service_belong_to_no_revision(shop: Revising) -> None:
    """Every revision is shown with the current stock and service settings. Reverting to a revision does not restore older stock
    or service settings."""
    await shop.publish(await shop.draft(ItemName(PRODUCTS, "111"), {"title": "Linen shirt"}))
    first, *others = the_shop().products
    variant = replace(first.variants[0], inventory_quantity=2)
    sold = replace(first, title="Linen shirt", variants=(variant, *first.variants[1:]))
    assert await shop.load(replace(the_shop(), products=(sold, *others)))
    await SqlKeyStore(shop.database).set_headless("demo", enabled=False)

    assert await shop.states() == [(2, LIVE), (1, PAST)]
    old = await shop.content(1)
    assert (old["products"][0]["title"], old["products"][0]["variants"][0]["inventoryQuantity"]) == ("Shirt", 2)
    draft = await shop.drafts.revert(shop.tenant, act(), 1, "")
    await shop.publish(draft)
    assert await shop.content() == old
    assert not (await shop.content())["shop"]["headlessEnabled"]


async def test_stock_that_others_change_does_not_conflict(shop: Revising) -> None:
    draft = await shop.draft(ItemName(PRODUCTS, "111"), {"title": "Linen shirt"})
    first, *others = the_shop().products
    sold = replace(first, variants=(replace(first.variants[0], inventory_quantity=1), *first.variants[1:]))
    await SqlShopFileStore(shop.database).replace(replace(the_shop(), products=(sold, *others)))
    await shop.publish(draft)
    product = (await shop.content())["products"][0]
    assert (product["title"], product["variants"][0]["inventoryQuantity"]) == ("Linen shirt", 1)


async def test_revert_restores_a_revision_as_a_new_draft(shop: Revising) -> None:
    before = await shop.content()
    await shop.publish(await shop.draft(THE_BOX, {"name": "Big box"}))
    await shop.publish(await shop.draft(THE_MUG, {"title": "Cup"}))
    draft = await shop.drafts.revert(shop.tenant, act(), 1, "Back")
    sentences = [each.sentence for each in await shop.reading.difference(shop.tenant, draft.number, None)]
    assert sentences == [
        'Product 222 "Mug", title: "Cup" becomes "Mug".',
        f'Bundle {BOX} "Box", name: "Big box" becomes "Box".',
    ]
    await shop.publish(draft)
    assert await shop.content() == before
    with pytest.raises(RevisionState):
        await shop.drafts.revert(shop.tenant, act(), draft.number, "")


async def test_difference_of_a_draft_is_what_publishing_would_change(shop: Revising) -> None:
    """The differences reported for a draft are what publishing it would change. Publishing does not revert what others have
    published in the meantime."""
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    await shop.publish(await shop.draft(THE_MUG, {"title": "Cup"}))
    differences = await shop.reading.difference(shop.tenant, draft.number, None)
    assert [dotted(each.change.path) for each in differences] == [f"bundles.{BOX}.name"]
    assert len(await shop.reading.difference(shop.tenant, None, 1)) == 1


async def test_dry_runs_write_nothing(shop: Revising) -> None:
    dry = act(dry_run=True)
    assert (await shop.drafts.create(shop.tenant, dry, "")).number == 2
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    changed, document = await shop.drafts.patch(shop.tenant, dry, 2, ANY, THE_BOX, {"name": "Other"})
    assert (changed.version, document["name"]) == (draft.version + 1, "Other")
    assert (await shop.publishing.publish(shop.tenant, dry, 2, ANY, None)).state == LIVE
    assert (await shop.drafts.discard(shop.tenant, dry, 2, ANY)).state == DISCARDED
    assert (await shop.publishing.schedule(shop.tenant, dry, 2, ANY, None, AT + 60)).state == SCHEDULED
    assert await shop.reading.find(shop.tenant, 2) == draft
    assert [entry.action for entry in await shop.reading.entries(shop.tenant, AuditFilter())] == ["edit", "create"]


async def test_list_is_filtered_and_in_parts(shop: Revising) -> None:
    for number in range(5):
        await shop.draft(THE_BOX, {"name": f"{number}"})
    await shop.publish(await shop.reading.find(shop.tenant, 3))
    part = await shop.reading.list(shop.tenant, RevisionFilter(limit=2))
    assert [each.number for each in part] == [6, 5]
    rest = await shop.reading.list(shop.tenant, RevisionFilter(before=5))
    assert [each.number for each in rest] == [4, 3, 2, 1]
    found = await shop.reading.list(shop.tenant, RevisionFilter((DRAFT, PAST)))
    assert [each.number for each in found] == [6, 5, 4, 2, 1]


async def test_other_shops_have_revisions_of_their_own(shop: Revising) -> None:
    other = replace(shop.tenant, id=shop.tenant.id + 1)
    await shop.draft(THE_BOX, {"name": "Big box"})
    with pytest.raises(NotFound):
        await Revising(shop.database, other).reading.find(other, 2)


async def test_audit_log_has_every_change(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    await shop.publish(draft, AT + 5)
    await shop.load(renamed(the_shop(), "Box of the file"), AT + 9)
    entries = await shop.reading.entries(shop.tenant, AuditFilter())
    assert [(each.action, each.actor, each.origin, each.at, each.revision) for each in entries] == [
        ("load", "bundlesvc load", "host", AT + 9, 3),
        ("publish", "Mira", "192.0.2.7", AT + 5, 2),
        ("edit", "Mira", "192.0.2.7", AT, 2),
        ("create", "Mira", "192.0.2.7", AT, 2),
    ]
    assert [tuple(change) for change in entries[0].changes] == [(f"bundles.{BOX}.name", "Big box", "Box of the file")]
    assert [tuple(change) for change in entries[1].changes] == [(f"bundles.{BOX}.name", "Box", "Big box")]
    assert [each.action for each in await shop.reading.entries(shop.tenant, AuditFilter(since=AT + 5, limit=1))] == [
        "load"
    ]


async def test_scheduled_revision_is_published_at_its_time(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    made = await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, "Friday", AT + 60)
    assert (made.state, made.publish_at, made.message) == (SCHEDULED, AT + 60, "Friday")
    assert await shop.store.due(AT + 59) == []
    ((tenant, due),) = await shop.store.due(AT + 60)
    assert await shop.publishing.publish_due(tenant, due, AT + 60, "host") == DONE
    assert await shop.publishing.publish_due(tenant, due, AT + 61, "host") is None
    assert await shop.states() == [(2, LIVE), (1, PAST)]
    assert (await shop.reading.find(shop.tenant, None)).publish_at is None


async def test_scheduled_revision_that_cannot_be_published_stays(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, None, AT + 60)
    await shop.load(renamed(the_shop(), "Other"))
    ((tenant, due),) = await shop.store.due(AT + 60)
    assert await shop.publishing.publish_due(tenant, due, AT + 60, "host") == LEFT

    found = await shop.reading.find(shop.tenant, draft.number)
    assert found.state == SCHEDULED
    assert found.problem is not None
    assert f"bundles.{BOX}.name" in found.problem
    assert await overdue_revisions(shop.database) == [("demo", draft.number, found.problem)]
    assert await shop.store.due(AT + 61) == []
    assert len(await shop.store.due(AT + 120)) == 1

    await shop.load(the_shop())
    ((tenant, due),) = await shop.store.due(AT + 120)
    assert await shop.publishing.publish_due(tenant, due, AT + 120, "host") == DONE
    assert await shop.store.overdue() == 0


async def test_of_two_processes_one_publishes_a_due_revision(shop: Revising, elsewhere: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"name": "Big box"})
    await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, None, AT + 60)
    ((tenant, due),) = await shop.store.due(AT + 60)
    results = await asyncio.gather(
        *(each.publishing.publish_due(tenant, due, AT + 60, "host") for each in (shop, elsewhere, shop, elsewhere))
    )
    assert [result for result in results if result is not None] == [DONE]
    assert await shop.states() == [(2, LIVE), (1, PAST)]


async def test_schedule_is_checked_when_it_is_made(shop: Revising) -> None:
    draft = await shop.draft(THE_BOX, {"type": "other"})
    with pytest.raises(RevisionInvalid):
        await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, None, AT + 60)
    draft = await shop.patch(draft, THE_BOX, {"type": "native"})
    with pytest.raises(InvalidRequest):
        await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, None, AT)
    made = await shop.publishing.schedule(shop.tenant, act(), draft.number, ANY, None, AT + 60)
    with pytest.raises(RevisionState):
        await shop.patch(made, THE_BOX, {"name": "Big box"})
    back = await shop.publishing.unschedule(shop.tenant, act(), draft.number, ANY)
    assert (back.state, back.publish_at) == (DRAFT, None)


async def test_deleting_a_shop_deletes_its_revisions(shop: Revising) -> None:
    await shop.publish(await shop.draft(THE_BOX, {"name": "Big box"}))
    await shop.draft(THE_BOX, {"name": "Bigger"})
    await delete_shop(shop.database, "demo")
    assert [await count(shop, table) for table in (draft_items, past_items)] == [0, 0]


async def count(shop: Revising, table: Any) -> int:
    query = select(func.count()).select_from(table)
    return await shop.database.read(lambda connection: connection.execute(query).scalar_one())


async def test_bundle_of_another_name_is_refused(shop: Revising) -> None:
    draft = await shop.drafts.create(shop.tenant, act(), "")
    with pytest.raises(InvalidRequest):
        await shop.patch(draft, THE_BOX, {"id": 7})
    with pytest.raises(NotFound):
        await shop.patch(draft, ItemName(BUNDLES, "7"), {"name": "x"})
    with pytest.raises(NotFound):
        await shop.drafts.delete(shop.tenant, act(), draft.number, ANY, ItemName(BUNDLES, "7"))
