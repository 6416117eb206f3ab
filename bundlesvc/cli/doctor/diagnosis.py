"""Diagnoses shops for the commands that check them, and prints the results."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import click

from bundlesvc.cli.terminal.collected_warnings import CollectedWarnings
from bundlesvc.live_platforms import engine_parts, opened_engines, uncached
from bundlesvc.platforms.routing import AppByKind
from bundlesvc.printable import printable
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult
from bundlesvc.services.diagnosis.shops import SecretKeys, ShopDiagnosis
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import DISCOUNT, credentials_cipher, derived_keys

_MARKS = {OK: "✓", NOTE: "•", FAULT: "✗"}


@asynccontextmanager
async def opened_diagnosis(
    settings: Settings, database: Database, warnings: CollectedWarnings
) -> AsyncIterator[ShopDiagnosis]:
    """Open a context in which shops and their live platforms can be checked."""
    credentials = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
    async with opened_engines(engine_parts(settings, credentials, None, SystemClock())) as engines:
        yield ShopDiagnosis(
            SqlShopStore(database, RevisionCache()),
            SqlShopFileStore(database),
            SqlGhostStore(database),
            uncached(engines),
            AppByKind({kind: engine.inspection() for kind, engine in engines.items()}),
            warnings,
            SecretKeys(derived_keys(settings.secret_keys, DISCOUNT), credentials),
        )


async def print_results(results: AsyncIterator[CheckResult]) -> int:
    """Print every result as soon as it is known. Returns the number of faults."""
    faults = 0
    async for result in results:
        shop = f"{result.shop}: " if result.shop else ""
        click.echo(f"{_MARKS[result.status]} {printable(f'{shop}{result.sentence} {result.remedy}'.rstrip())}")
        faults += result.status == FAULT
    return faults
