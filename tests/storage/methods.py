"""Calls to every method that reads from or writes to the database, to be made against the freshly loaded test shop."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from sqlalchemy import insert

from bundlesvc.demo.catalogue import EmbeddedCartCatalogue
from bundlesvc.domain.access.key import ApiKey
from bundlesvc.domain.access.usage import KeyUsage, UsageBatch
from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.configured import BundleRef
from bundlesvc.domain.events.event import BUNDLE_CHANGED, TYPES, Endpoint, Event, new_event_id
from bundlesvc.domain.ghosts.prices import MarketPromise, MarketTerms
from bundlesvc.domain.ghosts.variant import Claim, ClaimedGhost, PromiseChecks
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import ORDER, PRODUCT, Change, Notice, ProductUpdate
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.verdict import EQUAL, Verdict
from bundlesvc.domain.orders.waiting import ImportProgress, Waiting
from bundlesvc.domain.publication import Phase
from bundlesvc.domain.reports.bundle_report import ReportQuery
from bundlesvc.domain.reports.period import Period
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.revisions.audit import AuditFilter
from bundlesvc.domain.revisions.items import ItemName
from bundlesvc.domain.revisions.loaded_file import LoadedFile
from bundlesvc.domain.revisions.preview_link import PreviewLink
from bundlesvc.domain.revisions.revision import LIVE, Act, Actor, Revision, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.catalogue_rows import CatalogueRow
from bundlesvc.domain.shopper import Shopper
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports.events import AttemptResult, DueDelivery
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.ports.studio import OpenPage
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.access.usage import SqlUsageStore
from bundlesvc.storage.catalogue.bundle_times import SqlBundleTimes
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_deletion import delete_shop, shop_contents
from bundlesvc.storage.catalogue.shop_differences import Difference
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.catalogue.variant_updates import SqlCatalogueUpdates
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.configured.selections import SqlSelections
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.sqlite.file import SqliteDatabase
from bundlesvc.storage.database.tables import outgoing_events, shop_revisions
from bundlesvc.storage.events.deliveries import SqlEventStore
from bundlesvc.storage.events.endpoints import SqlWebhookEndpoints
from bundlesvc.storage.events.history import DeliveryFilter, SqlDeliveryHistory
from bundlesvc.storage.events.outbox import event_row
from bundlesvc.storage.experiments.visitors import SqlExperimentStore
from bundlesvc.storage.ghosts.administration import RetirementFilter, SqlGhostAdmin
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.live_platforms.own_updates import SqlOwnUpdates
from bundlesvc.storage.maintenance import housekeeping
from bundlesvc.storage.open_pages import SqlOpenPages
from bundlesvc.storage.orders.deliveries import SqlSubscriptionStates
from bundlesvc.storage.orders.imports import SqlImportStore
from bundlesvc.storage.orders.inbox import SqlOrderInbox, record_notices
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.reports.bundle_figures import SqlReportStore
from bundlesvc.storage.revisions.loaded_files import SqlLoadedFiles
from bundlesvc.storage.revisions.preview_links import SqlPreviewLinks
from bundlesvc.storage.revisions.store import SqlRevisionStore
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions
from bundlesvc.token_cipher import credentials_cipher, new_secret_key
from tests.domain.orders.orders import order
from tests.fakes import delivery
from tests.storage.configured_bundles import MONTHLY, NOW, configured, ghost, idempotency_key, render_response
from tests.storage.prepared import the_shop

KEY = ApiKey(0, 1, "d" * 64, "bnd_live_0000000", "label", False, (), (), 100, active=True, created_at=NOW)

SHOPPER = Shopper("a@b.example", None, [1])

TODAY = date(2026, 11, 23)

BATCH = UsageBatch("w" * 32, 1, (KeyUsage(TODAY, "demo", KEY.prefix, (1, 2, 3, 4, 5, 6)),))

CLAIMED = ClaimedGhost(1, 1, ghost("identity", 5), retired=True)

ORDERED = JudgedOrder(order(), (Verdict(7001, 42, ("a", "b"), EQUAL, 2000, 2000),))

Call = Callable[[Database, Tenant, Path], Awaitable[object]]


def shops(use: Callable[[SqlShopStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlShopStore(database, RevisionCache()), tenant)


def key_store(use: Callable[[SqlKeyStore], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlKeyStore(database))


def files(use: Callable[[SqlShopFileStore], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlShopFileStore(database))


def configured_bundles(use: Callable[[SqlConfiguredStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlConfiguredStore(database), tenant)


def catalogue(use: Callable[[EmbeddedPlatform, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(EmbeddedPlatform(database, RevisionCache()), tenant)


def ghosts(use: Callable[[SqlGhostStore], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlGhostStore(database))


def subscriptions(use: Callable[[SqlSubscriptions], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlSubscriptions(database))


def reminders(use: Callable[[SqlReminders, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlReminders(database), tenant)


def shoppers(use: Callable[[SqlShoppers], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlShoppers(database))


def requests(use: Callable[[SqlShopperRequests], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlShopperRequests(database))


def changes(use: Callable[[SqlChangeLog, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlChangeLog(database), tenant)


def own_updates(use: Callable[[SqlOwnUpdates, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlOwnUpdates(database), tenant)


def promises(use: Callable[[SqlMarketPromises, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlMarketPromises(database), tenant)


def cart_catalogue(use: Callable[[EmbeddedCartCatalogue, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(EmbeddedCartCatalogue(database), tenant)


def connections(use: Callable[[SqlCredentialStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlCredentialStore(database, credentials_cipher([new_secret_key()])), tenant)


CIPHER = credentials_cipher([new_secret_key()])
EVENT = Event("", BUNDLE_CHANGED, "bundle:42", NOW, test=False, data={})
ENDPOINT = Endpoint("we_1", "demo", "https://shop.example/", TYPES, NOW)
DELIVERY = DueDelivery(1, "evt_1", "demo", "https://shop.example/", "whsec_AAAA", b"{}", 0)


def events(use: Callable[[SqlEventStore], Awaitable[object]]) -> Call:
    """Build a call that stores an event awaiting delivery, and then uses the event store."""

    async def call(database: Database, tenant: Tenant, _: Path) -> object:
        row = event_row(tenant.id, replace(EVENT, id=new_event_id()))
        await database.write(lambda connection: connection.execute(insert(outgoing_events).values(row)))
        return await use(SqlEventStore(database, CIPHER))

    return call


async def expire_a_subscription(database: Database, tenant: Tenant, _: Path) -> None:
    """Expire a subscription that is waiting for its order, in a shop that receives orders."""
    made = configured(990, subscription=MONTHLY)
    await SqlConfiguredStore(database).record(tenant, made, 9001, None, render_response)
    await SqlOrderStore(database).record(tenant, ORDERED, None)
    await SqlSubscriptionStates(database).expire(made.configured_at + 1)


async def due_delivery(database: Database, tenant: Tenant, _: Path) -> object:
    """Claim a webhook delivery that is due."""
    await SqlWebhookEndpoints(database, CIPHER).add(tenant.id, replace(ENDPOINT, id=new_event_id()[:30]), "whsec_AAAA")
    await events(lambda store: store.address_events())(database, tenant, _)
    return await SqlEventStore(database, CIPHER).claim(NOW, NOW + 1, 1)


async def followed_changes(database: Database, tenant: Tenant, _: Path) -> None:
    """Create the events for a revision that has been published."""
    published = {"state": "past", "position": 999, "author": "", "source": "", "message": "", "version": 1}
    row = {"shop_id": tenant.id, "number": 999, "created_at": NOW, "published_at": NOW, **published}
    await database.write(lambda connection: connection.execute(insert(shop_revisions).values(row)))
    await SqlEventStore(database, CIPHER).follow_changes(frozenset([tenant.id]))


def endpoints(use: Callable[[SqlWebhookEndpoints, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlWebhookEndpoints(database, CIPHER), tenant)


def waiting_notice(use: Callable[[SqlOrderInbox, Waiting], Awaitable[object]]) -> Call:
    """Build a call that runs `use` while a notice is waiting in the inbox."""

    async def call(database: Database, tenant: Tenant, _: Path) -> object:
        notice = Notice(ORDER, "1")
        await database.write(lambda connection: record_notices(connection, tenant, [notice], NOW))
        return await use(SqlOrderInbox(database), Waiting(tenant.id, notice, 1, 0, NOW))

    return call


async def back_up(database: Database, _: Tenant, folder: Path) -> None:
    assert isinstance(database, SqliteDatabase)
    await housekeeping.backup(Path(database.path), folder / "backup.db")


VARIANTS = the_shop().products[0].variants

REVISION = Revision(1, LIVE, None, "", "api", "", NOW, 1)
ACT = Act(Actor("web", "192.0.2.1", "api"), NOW)
REQUEST = IdempotencyKey(test=False, method="POST", path="/revisions", key="k", body_digest="d" * 64)


def revisions(use: Callable[[SqlRevisionStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlRevisionStore(database, describe), tenant)


async def edit_a_draft(store: SqlRevisionStore, tenant: Tenant) -> None:
    draft = await store.create(tenant, ACT, "", (), "create")
    await store.edit(tenant, ACT, draft, (), ())


async def change_a_draft(store: SqlRevisionStore, tenant: Tenant) -> None:
    draft = await store.create(tenant, ACT, "", (), "create")
    await store.change(tenant, ACT, draft, replace(draft, state="discarded"), "discard")


OPEN_PAGE = OpenPage("page-1234", "Mira", 42)
PREVIEW_LINK = PreviewLink(0, 1, 42, "now", "Mira", NOW, NOW + 60)


async def remove_a_preview_link(database: Database, tenant: Tenant, _: object) -> None:
    links = SqlPreviewLinks(database)
    await SqlRevisionStore(database, describe).revision(tenant, None)
    made = await links.add(tenant, ACT, 1, PREVIEW_LINK)
    await links.remove(tenant, ACT, made.id)


async def publish_a_draft(store: SqlRevisionStore, tenant: Tenant) -> None:
    draft = await store.create(tenant, ACT, "", (), "create")
    await store.publish(tenant, ACT, draft, "", lambda _: RENAMED_SHOP)


READS: dict[str, Call] = {
    "SqlLoadedFiles.last": lambda database, tenant, _: SqlLoadedFiles(database).last(tenant, "shop.yaml"),
    "SqlLoadedFiles.live": lambda database, tenant, _: SqlLoadedFiles(database).live(tenant),
    "SqlLoadedFiles.newest_of_files": lambda database, tenant, _: SqlLoadedFiles(database).newest_of_files(tenant),
    "SqlPreviewLinks.valid": lambda database, tenant, _: SqlPreviewLinks(database).valid(tenant, NOW),
    "SqlPreviewLinks.find": lambda database, tenant, _: SqlPreviewLinks(database).find(tenant.id, 1, NOW),
    "SqlSelections.newest": lambda database, tenant, _: SqlSelections(database).newest(tenant, [42], 10),
    "SqlRevisionStore.authors": revisions(lambda store, tenant: store.authors(tenant, 1)),
    "SqlRevisionStore.last_number": revisions(lambda store, tenant: store.last_number(tenant, "bundles")),
    "SqlRevisionStore.stored_response": revisions(
        lambda store, tenant: store.stored_response(tenant, "k", REQUEST, NOW)
    ),
    "SqlRevisionStore.due": revisions(lambda store, _: store.due(NOW)),
    "SqlRevisionStore.overdue": revisions(lambda store, _: store.overdue()),
    "SqlRevisionStore.entries": revisions(lambda store, tenant: store.entries(tenant, AuditFilter())),
    "SqlOrderStore.order": lambda database, tenant, _: SqlOrderStore(database).order(tenant, "1"),
    "SqlOrderStore.orders": lambda database, tenant, _: SqlOrderStore(database).orders(
        tenant, OrderFilter(verdict="equal")
    ),
    "SqlOrderStore.promise_counts": lambda database, tenant, _: SqlOrderStore(database).promise_counts(
        tenant, 0, test=False
    ),
    "SqlOrderStore.promises": lambda database, tenant, _: SqlOrderStore(database).promises(tenant, [1], [2]),
    "SqlReportStore.figures": lambda database, tenant, _: SqlReportStore(database).figures(
        tenant, ReportQuery(Period(TODAY, TODAY))
    ),
    "SqlExperimentStore.figures": lambda database, tenant, _: SqlExperimentStore(database).figures(
        tenant, "exp-1", test=False
    ),
    "SqlEventStore.shops_with_endpoints": lambda database, *_: SqlEventStore(database, CIPHER).shops_with_endpoints(),
    "SqlEventStore.waiting": lambda database, *_: SqlEventStore(database, CIPHER).waiting(),
    "SqlWebhookEndpoints.all": endpoints(lambda store, _: store.all()),
    "SqlWebhookEndpoints.outdated": endpoints(lambda store, _: store.outdated()),
    "SqlDeliveryHistory.deliveries": lambda database, *_: SqlDeliveryHistory(database).deliveries(DeliveryFilter()),
    "SqlOrderInbox.counts": lambda database, *_: SqlOrderInbox(database).counts(),
    "SqlImportStore.progress": lambda database, tenant, _: SqlImportStore(database).progress(tenant),
    "SqlUsageStore.usage": lambda database, *_: SqlUsageStore(database).usage("demo", TODAY, TODAY),
    "SqlShopStore.tenants": shops(lambda store, _: store.tenants()),
    "SqlShopStore.revisions": shops(lambda store, _: store.revisions()),
    "SqlShopStore.bundle": shops(lambda store, tenant: store.bundle(tenant, 42)),
    "SqlShopStore.published_bundles": shops(lambda store, tenant: store.published_bundles(tenant, 100)),
    "SqlShopStore.published_ids": shops(lambda store, tenant: store.published_ids(tenant)),
    "SqlShopStore.bundles": shops(lambda store, tenant: store.bundles(tenant, [42])),
    "SqlShopStore.bundle_of_product": shops(lambda store, tenant: store.bundle_of_product(tenant, 900)),
    "SqlShopStore.is_item": shops(lambda store, tenant: store.is_item(tenant, 900)),
    "SqlShopStore.experiments": shops(lambda store, tenant: store.experiments(tenant)),
    "SqlShopStore.ping": shops(lambda store, _: store.ping()),
    "SqlKeyStore.active_keys": key_store(lambda store: store.active_keys()),
    "SqlKeyStore.active_key": key_store(lambda store: store.active_key("d" * 64)),
    "SqlKeyStore.tenant": key_store(lambda store: store.tenant("demo")),
    "SqlKeyStore.keys": key_store(lambda store: store.keys()),
    "SqlShopFileStore.stored": files(lambda store: store.stored("demo")),
    "SqlConfiguredStore.stored_response": configured_bundles(
        lambda store, tenant: store.stored_response(tenant, idempotency_key(), NOW)
    ),
    "SqlConfiguredStore.ghost": configured_bundles(lambda store, tenant: store.ghost(tenant, "identity")),
    "SqlConfiguredStore.newest_of_ghost": configured_bundles(
        lambda store, tenant: store.newest_of_ghost(tenant, 5, 43)
    ),
    "SqlConfiguredStore.look_up": configured_bundles(lambda store, tenant: store.look_up(tenant, [BundleRef(1, None)])),
    "SqlConfiguredStore.unique_id": configured_bundles(lambda store, tenant: store.unique_id(tenant, 1)),
    "SqlConfiguredStore.selection": configured_bundles(lambda store, tenant: store.selection(tenant, 1)),
    "SqlMarketPromises.find": promises(lambda store, tenant: store.find(tenant, 5, "US")),
    "SqlMarketPromises.all_of": promises(lambda store, tenant: store.all_of(tenant, 5)),
    "EmbeddedPlatform.variant": catalogue(lambda platform, tenant: platform.variant(tenant, 1001)),
    "EmbeddedPlatform.products": catalogue(lambda platform, tenant: platform.products(tenant, [111])),
    "EmbeddedPlatform.market_prices": catalogue(
        lambda platform, tenant: platform.market_prices(tenant, VARIANTS, "US")
    ),
    "EmbeddedPlatform.product_by_handle": catalogue(
        lambda platform, tenant: platform.product_by_handle(tenant, "shirt")
    ),
    "EmbeddedPlatform.handle_of": catalogue(lambda platform, tenant: platform.handle_of(tenant, 111)),
    "EmbeddedPlatform.market_terms": catalogue(lambda platform, tenant: platform.market_terms(tenant, "US")),
    "SqlGhostStore.counts": ghosts(lambda store: store.counts(10)),
    "SqlGhostAdmin.all": lambda database, *_: SqlGhostAdmin(database).all("demo", "live"),
    "SqlSubscriptions.all": subscriptions(lambda store: store.all()),
    "SqlSubscriptions.of_shopper": subscriptions(lambda store: store.of_shopper("a@b.example")),
    "SqlReminders.all": reminders(lambda store, _: store.all()),
    "SqlReminders.of_shopper": reminders(lambda store, _: store.of_shopper("a@b.example")),
    "SqlShoppers.find": shoppers(lambda store: store.find(SHOPPER)),
    "SqlShopperRequests.all": requests(lambda store: store.all()),
    "SqlShopperRequests.open": requests(lambda store: store.open()),
    "SqlOwnUpdates.includes": own_updates(lambda store, tenant: store.includes(tenant, ProductUpdate(7, NOW))),
    "SqlChangeLog.after": changes(lambda log, _: log.after(0)),
    "EmbeddedCartCatalogue.markets": cart_catalogue(lambda store, tenant: store.markets(tenant)),
    "EmbeddedCartCatalogue.cart_variants": cart_catalogue(lambda store, tenant: store.cart_variants(tenant, [1001])),
    "shop_contents": lambda database, *_: shop_contents(database, "demo"),
    "SqlCredentialStore.of": connections(lambda store, tenant: store.of(tenant)),
    "SqlCredentialStore.encrypted_with": connections(lambda store, tenant: store.encrypted_with(tenant)),
}

US = MarketTerms("USD", Decimal(5), Decimal("1.10"), "US")

RENAMED_SHOP = replace(the_shop(), shop=replace(the_shop().shop, name="Renamed"))
"""A shop that differs from the stored shop, because loading an equal shop writes nothing."""

WRITES: dict[str, Call] = {
    "SqlExperimentStore.add": lambda database, tenant, _: SqlExperimentStore(database).add(
        [SeenArm(tenant.id, Exposure("exp-1", 0, "visitor"), NOW, test=False)]
    ),
    # Reading a shop's revisions for the first time creates the first revision.
    "SqlRevisionStore.revisions": revisions(lambda store, tenant: store.revisions(tenant, RevisionFilter())),
    "SqlRevisionStore.revision": revisions(lambda store, tenant: store.revision(tenant, None)),
    "SqlRevisionStore.read": revisions(lambda store, tenant: store.read(tenant, None)),
    "SqlRevisionStore.draft": revisions(lambda store, tenant: store.draft(tenant, 1)),
    "SqlRevisionStore.item": revisions(lambda store, tenant: store.item(tenant, None, ItemName("bundles", "42"))),
    "SqlLoadedFiles.note": lambda database, tenant, _: SqlLoadedFiles(database).note(
        tenant, 1, LoadedFile("shop.yaml")
    ),
    "SqlRevisionStore.create": revisions(lambda store, tenant: store.create(tenant, ACT, "", (), "create")),
    "SqlRevisionStore.edit": revisions(edit_a_draft),
    "SqlRevisionStore.change": revisions(change_a_draft),
    "SqlRevisionStore.publish": revisions(publish_a_draft),
    "SqlRevisionStore.report": revisions(lambda store, tenant: store.report(tenant, REVISION, "conflict", NOW)),
    "SqlOpenPages.note": lambda database, tenant, _: SqlOpenPages(database).note(tenant, OPEN_PAGE, NOW),
    "SqlOpenPages.forget": lambda database, tenant, _: SqlOpenPages(database).forget(tenant, OPEN_PAGE.page),
    "SqlPreviewLinks.add": lambda database, tenant, _: SqlPreviewLinks(database).add(tenant, ACT, 1, PREVIEW_LINK),
    "SqlPreviewLinks.remove": remove_a_preview_link,
    "SqlKeyStore.touch_keys": key_store(lambda store: store.touch_keys({1: NOW})),
    "SqlOrderStore.record": lambda database, tenant, _: SqlOrderStore(database).record(tenant, ORDERED, None),
    "SqlWebhookEndpoints.add": endpoints(lambda store, tenant: store.add(tenant.id, ENDPOINT, "whsec_AAAA")),
    "SqlWebhookEndpoints.remove": endpoints(lambda store, _: store.remove("we_1")),
    "SqlWebhookEndpoints.reseal": endpoints(lambda store, _: store.reseal(NOW)),
    "SqlEventStore.address_events": events(lambda store: store.address_events()),
    "SqlEventStore.claim": due_delivery,
    "SqlEventStore.follow_changes": followed_changes,
    "SqlEventStore.delivered": events(lambda store: store.delivered(DELIVERY, AttemptResult(200), NOW)),
    "SqlEventStore.postpone": events(lambda store: store.postpone(DELIVERY, AttemptResult(503), NOW)),
    "SqlEventStore.give_up": events(lambda store: store.give_up(DELIVERY, AttemptResult(410), NOW, disable=True)),
    "SqlDeliveryHistory.replay": lambda database, *_: SqlDeliveryHistory(database).replay(DeliveryFilter(), NOW),
    "SqlOrderInbox.claim": waiting_notice(lambda inbox, _: inbox.claim(NOW, NOW + 1, 1)),
    "SqlOrderInbox.close": waiting_notice(lambda inbox, waiting: inbox.close(waiting, NOW)),
    "SqlOrderInbox.postpone": waiting_notice(lambda inbox, waiting: inbox.postpone(waiting, NOW)),
    "SqlSubscriptionStates.record_contract": lambda database, tenant, _: SqlSubscriptionStates(
        database
    ).record_contract(tenant, Contract("7", None, None)),
    "SqlSubscriptionStates.expire": expire_a_subscription,
    "SqlImportStore.save": lambda database, tenant, _: SqlImportStore(database).save(tenant, ImportProgress(NOW)),
    "SqlBundleTimes.pass_times": lambda database, tenant, _: SqlBundleTimes(database).pass_times(
        replace(tenant, phase=Phase(NOW, NOW + 1))
    ),
    "SqlUsageStore.add": lambda database, *_: SqlUsageStore(database).add(BATCH, NOW),
    "SqlKeyStore.add_key": key_store(lambda store: store.add_key(KEY)),
    "SqlKeyStore.revoke_key": key_store(lambda store: store.revoke_key(KEY.prefix)),
    "SqlKeyStore.set_origins": key_store(lambda store: store.set_origins(KEY.prefix, ["https://a.example"])),
    "SqlKeyStore.set_limits": key_store(lambda store: store.set_limits(KEY.prefix, {"visitor_limit": 5})),
    "SqlKeyStore.set_headless": key_store(lambda store: store.set_headless("demo", enabled=False)),
    "SqlShopFileStore.replace": files(lambda store: store.replace(RENAMED_SHOP)),
    "SqlShopFileStore.merge": files(lambda store: store.merge("demo", lambda _: RENAMED_SHOP)),
    "SqlShopFileStore.change": files(lambda store: store.change(Difference("demo", 1, RENAMED_SHOP.shop, []))),
    "SqlCatalogueUpdates.apply": lambda database, *_: SqlCatalogueUpdates(database).apply(
        "demo", [CatalogueRow(2, 1001, {"inventory_quantity": 4})], dry_run=False
    ),
    "SqlConfiguredStore.expire": configured_bundles(lambda store, _: store.expire(NOW)),
    "SqlConfiguredStore.make_room": configured_bundles(
        lambda store, tenant: store.make_room(tenant, 901, 10, NOW, NOW)
    ),
    "SqlConfiguredStore.removed": configured_bundles(lambda store, _: store.removed(Claim("token", ()), NOW)),
    "SqlConfiguredStore.record": configured_bundles(
        lambda store, tenant: store.record(
            tenant, configured(), ghost("identity", 5), idempotency_key(), render_response
        )
    ),
    "SqlConfiguredStore.revive_ghosts": configured_bundles(
        lambda store, _: store.revive_ghosts(Claim("token", (CLAIMED,)), NOW)
    ),
    "SqlMarketPromises.add": promises(
        lambda store, tenant: store.add(tenant, 5, "US", MarketPromise("US", Decimal(5)))
    ),
    "SqlMarketPromises.priced": promises(lambda store, tenant: store.priced(tenant, 5, "US", Decimal(5), NOW)),
    "EmbeddedPlatform.create_ghost_variant": catalogue(
        lambda platform, tenant: platform.create_ghost_variant(tenant, 901, "identity", Decimal(5))
    ),
    "EmbeddedPlatform.set_ghost_price": catalogue(
        lambda platform, tenant: platform.set_ghost_price(tenant, 8 * 10**15, US, Decimal(5))
    ),
    "EmbeddedPlatform.retire_ghost_variants": catalogue(
        lambda platform, tenant: platform.retire_ghost_variants(tenant, 901, [5])
    ),
    "SqlGhostStore.claim_due": ghosts(lambda store: store.claim_due(NOW, 10)),
    "SqlGhostStore.settle": ghosts(
        lambda store: store.settle(1, Claim("token", (CLAIMED,)), PromiseChecks([1]), NOW, 60)
    ),
    "SqlGhostStore.removed": ghosts(lambda store: store.removed(Claim("token", (CLAIMED,)), NOW)),
    "SqlGhostAdmin.retire": lambda database, *_: SqlGhostAdmin(database).retire(
        "demo", RetirementFilter([5], 43, "live"), NOW
    ),
    "SqlSubscriptions.cancel": subscriptions(lambda store: store.cancel(1)),
    "SqlSubscriptions.delete": subscriptions(lambda store: store.delete([1])),
    "SqlShoppers.delete_shop": lambda database, tenant, _: SqlShoppers(database).delete_shop(tenant),
    "SqlShoppers.erase": shoppers(lambda store: store.erase(SHOPPER)),
    "SqlShopperRequests.close": requests(lambda store: store.close(1)),
    "SqlShopperRequests.complete_exports": requests(lambda store: store.complete_exports("a@b.example", None, NOW)),
    "SqlShopperRequests.forget": requests(lambda store: store.forget("a@b.example", None)),
    "SqlShopperRequests.expire": requests(lambda store: store.expire(NOW)),
    "SqlReminders.add_reminder": reminders(
        lambda store, tenant: store.add_reminder(tenant, 1, "a@b.example", "Box", NOW)
    ),
    "SqlReminders.forget": reminders(lambda store, _: store.forget("a@b.example")),
    "SqlOwnUpdates.add": own_updates(lambda store, tenant: store.add(tenant, ProductUpdate(7, NOW), NOW)),
    "SqlChangeLog.record": changes(lambda log, tenant: log.record(tenant, delivery("d-1", [Change(PRODUCT, 7)]), NOW)),
    "SqlChangeLog.expire": changes(lambda log, _: log.expire(NOW)),
    "SqlCredentialStore.connect": connections(
        lambda store, tenant: store.connect(tenant, PlatformConnection("a.example", "token", "secret"), NOW)
    ),
    "SqlCredentialStore.disconnect": connections(lambda store, tenant: store.disconnect(tenant)),
    "SqlCredentialStore.reseal": connections(lambda store, tenant: store.reseal(tenant, NOW)),
    "SqlCredentialStore.replace": connections(
        lambda store, tenant: store.replace(
            tenant, PlatformConnection("a.example", "token"), PlatformConnection("a.example", "newer"), NOW
        )
    ),
    "prune": lambda database, *_: housekeeping.prune(database, NOW, Retention(configured_bundles=1)),
    "delete_shop": lambda database, *_: delete_shop(database, "demo"),
}

NO_DATABASE_NEEDED = {f"EmbeddedPlatform.{name}" for name in ("shop", "selling_plans", "languages", "translations")}

ALL = READS | WRITES

ALL_ON_SQLITE = ALL | {"backup": back_up}
READS_ON_SQLITE = READS | {"backup": back_up}
