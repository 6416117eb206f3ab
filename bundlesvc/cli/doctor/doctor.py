"""`bundlesvc doctor`: prints what prevents the service from working, and how to fix it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from importlib import import_module
from pathlib import Path

import click

from bundlesvc.cli.doctor.diagnosis import opened_diagnosis, print_results
from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.terminal.collected_warnings import CollectedWarnings, collected_warnings
from bundlesvc.cli.terminal.output import counted, fail
from bundlesvc.private_files import exposed
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult
from bundlesvc.services.diagnosis.database import check_replica, check_writing, exposed_file
from bundlesvc.services.diagnosis.redis import check_redis
from bundlesvc.services.diagnosis.shopper_requests import request_results
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.generations import unfinished_loads
from bundlesvc.storage.catalogue.overdue_revisions import OverdueRevision, overdue_revisions
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import create_database
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.system import SystemClock

CAPABILITIES: tuple[str, ...] = ("orders.diagnosis",)
"""The modules that contain the capabilities' own checks of a database."""


@click.command()
def doctor() -> None:
    """Find what prevents the service from working.

    Checks the database, Redis, the shops and their live platforms, and whether recent orders were charged as promised. It
    explains how to fix each problem, and changes nothing on the platforms. The exit status is 1 if there is a problem.
    """
    faults = asyncio.run(_print_results(settings_with_secrets()))
    if faults:
        fail(f"{counted(faults, 'problem')} found.")
    click.echo("No problems found.")


async def _print_results(settings: Settings) -> int:
    """Print every result as soon as it is known. Returns the number of faults."""
    with collected_warnings() as warnings:
        async with aclosing(_results(settings, warnings)) as results:  # closes the database when the reader stops early
            faults = await print_results(results)
    return faults


async def _results(settings: Settings, warnings: CollectedWarnings) -> AsyncGenerator[CheckResult, None]:
    if settings.redis_url:
        async for result in _redis_results(settings.redis_url, warnings):
            yield result
    async with current_database(settings) as database:
        yield CheckResult(OK, "database", "the database responds, and its tables are up to date")
        database.health.log()
        async for result in check_writing(database, database.health.free_bytes(), warnings):
            yield result
        if settings.database_read:
            yield await _replica_result(settings.database_read, database)
        for result in await _stored_results(settings.database_file, database):
            yield result
        async for result in _shop_results(settings, database, warnings):
            yield result
        for result in request_results(await SqlShopperRequests(database).open(), SystemClock().now()):
            yield result


async def _shop_results(
    settings: Settings, database: Database, warnings: CollectedWarnings
) -> AsyncGenerator[CheckResult, None]:
    async with opened_diagnosis(settings, database, warnings) as diagnosis:
        async for result in diagnosis.results():
            yield result
    for name in CAPABILITIES:
        async for result in import_module(f"bundlesvc.cli.{name}").results(database):
            yield result


async def _stored_results(file: Path | None, database: Database) -> list[CheckResult]:
    files = exposed(file) if file else ()
    loads, overdue = await unfinished_loads(database), await overdue_revisions(database)
    exposed_files = (exposed_file(str(path)) for path in files)
    return [*exposed_files, *map(_unfinished_load, loads), *map(_overdue_revision, overdue)]


def _overdue_revision(overdue: OverdueRevision) -> CheckResult:
    return CheckResult(
        FAULT,
        "overdue_revision",
        f"revision {overdue.number} could not be published at its time: {overdue.problem}",
        f"See what it changes: bundlesvc revisions diff {overdue.number} --shop {overdue.shop}",
        overdue.shop,
    )


def _unfinished_load(handle: str) -> CheckResult:
    return CheckResult(
        NOTE,
        "unfinished_load",
        "its first load has not ended: it is running, or was interrupted.",
        f"In the latter case load its file again, or delete what it left: bundlesvc shops delete {handle}",
        handle,
    )


async def _replica_result(url: str, database: Database) -> CheckResult:
    replica = create_database(url)
    try:
        return await check_replica(
            SqlShopStore(database, RevisionCache()), SqlShopStore(replica, RevisionCache()), cause
        )
    finally:
        await replica.close()


async def _redis_results(url: str, warnings: CollectedWarnings) -> AsyncIterator[CheckResult]:
    try:
        connection = RedisConnection(url)
    except ValueError as error:
        yield CheckResult(FAULT, "redis", f"REDIS_URL is invalid: {error}")
        return
    async for result in check_redis(connection, warnings):
        yield result
