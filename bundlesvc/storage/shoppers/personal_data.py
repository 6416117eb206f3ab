"""Finds and erases the data of one shopper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete

from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import Shopper
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.shoppers.personalisation_answers import (
    ShoppersBundle,
    bundles_that_mention,
    bundles_with_ids,
    in_parts,
    remove_answers,
)
from bundlesvc.storage.shoppers.reminders import SqlReminders, StoredReminder
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions, StoredSubscription
from bundlesvc.storage.shoppers.visitors import forget_visitors_of


@dataclass(frozen=True, slots=True)
class ShopperData:
    """All stored data about a shopper, oldest first."""

    reminders: Sequence[StoredReminder]
    subscriptions: Sequence[StoredSubscription]
    bundles: Sequence[ShoppersBundle]

    @property
    def counts(self) -> Mapping[str, int]:
        return {
            "stock reminders": len(self.reminders),
            "subscriptions": len(self.subscriptions),
            "configured bundles": len(self.bundles),
        }


class SqlShoppers:
    """Implements the `ShopperStore` port on the database, with additional methods for commands. Works in batches, so that
    no other writer waits for long. Raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reminders = SqlReminders(database)
        self._subscriptions = SqlSubscriptions(database)

    async def find(self, shopper: Shopper) -> ShopperData:
        """Find the shopper's reminders and subscriptions, and three groups of configured bundles: those that belong to the
        subscriptions, those with the shopper's e-mail address in an answer, and those whose ids are given."""
        subscriptions = await self._subscriptions.of_shopper(shopper.email, shopper.shop_ids)
        ids = {one.configured_bundle_id for one in subscriptions} | {*shopper.configured_bundle_ids}
        ids.update(await bundles_that_mention(self._database, shopper.email, shopper.shop_ids))
        reminders = await self._reminders.of_shopper(shopper.email, shopper.shop_ids)
        return ShopperData(reminders, subscriptions, await bundles_with_ids(self._database, ids, shopper.shop_ids))

    async def erase(self, shopper: Shopper) -> Mapping[str, int]:
        """Delete the shopper's reminders and subscriptions, and remove the shopper's data from configured bundles. Returns the
        number of records deleted or changed, by kind. Can be repeated after an interruption, because a subscription is deleted
        only after its configured bundle has been changed."""
        data = await self.find(shopper)
        ids = [one.id for one in data.bundles]
        await forget_visitors_of(self._database, ids)
        bundles = await remove_answers(self._database, ids)
        subscriptions = [
            await self._subscriptions.delete(part) for part in in_parts([one.id for one in data.subscriptions])
        ]
        reminders = await self._reminders.forget(shopper.email, shopper.shop_ids)
        await SqlShopperRequests(self._database).forget(shopper.email, shopper.shop_ids)
        await self._database.overwrite_deleted()
        return {"stock reminders": reminders, "subscriptions": sum(subscriptions), "configured bundles": bundles}

    async def delete_shop(self, tenant: Tenant) -> None:
        """Delete a shop that its platform has disconnected. This takes several seconds."""
        credentials = delete(platform_connections).where(platform_connections.c.shop_id == tenant.id)
        await self._database.write(lambda connection: connection.execute(credentials))
        await delete_shop(self._database, tenant.shop.handle)
        await self._database.overwrite_deleted()
