"""Stored data of two shoppers, Mira and Alf, for tests of export and erasure."""

from dataclasses import replace
from typing import Any

from bundlesvc.domain.configured import ConfiguredBundle
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.reminders import SqlReminders
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import MONTHLY, NOW, configured, idempotency_key, render_response

MIRA, ALF = "mira@mail.example", "alf@mail.example"
VISITOR = "0b0c7a52-3f0e-4c1e-9f5c-6f5a3d2b1c00"

ENGRAVED, SUBSCRIBED, PLAIN, OF_ALF = 1, 2, 3, 4
"""Configured bundles: with Mira's address in an answer, with her subscription, without answers, and one of Alf's."""


def answered(number: int, answer: str, configured_at: int = NOW, **changes: Any) -> ConfiguredBundle:
    """Build a configured bundle with shirts, whose engraving is the shopper's `answer`."""
    shirt, mug = configured().items
    engraved = replace(shirt, properties={"Engraving": answer, "Wrap": "true"}, answer_keys=("engraving", "wrap"))
    return configured(number, items=(engraved, mug), visitor_id=VISITOR, configured_at=configured_at, **changes)


async def fill(database: Database, tenant: Tenant) -> None:
    """Store the data of both shoppers as the service does."""
    store, reminders = SqlConfiguredStore(database), SqlReminders(database)
    bundles = [
        answered(ENGRAVED, "Call Mira@Mail.example"),
        answered(SUBSCRIBED, "For my cat", subscription=replace(MONTHLY, email="Mira@mail.example")),
        configured(PLAIN),
        answered(OF_ALF, f"{ALF}, not admira@mail.example", subscription=replace(MONTHLY, email=ALF)),
    ]
    for bundle in bundles:
        key = idempotency_key(f"order-{bundle.id}")
        await store.record(tenant, bundle, BOX_VARIANT, key, render_response)
    for variant, email in ((1001, MIRA), (1002, MIRA), (1001, ALF)):
        await reminders.add_reminder(tenant, variant, email, "Box", NOW)
