"""`python -m tests.promises` configures many carts in random shops, and checks the charges for them."""

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from aiohttp.test_utils import TestClient, TestServer
from cryptography.fernet import Fernet

from bundlesvc.app import create_app
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.opening import open_database
from bundlesvc.system import RandomIds
from tests.conftest import replace_shop
from tests.fakes import FakeClock
from tests.promises.table import lines_of
from tests.promises.trial import CARTS_OF_A_SHOP, RATE_LIMIT, Trial
from tests.storage.prepared import make_database


@click.command()
@click.argument("carts", default=20_000)
@click.argument("first_seed", default=0)
@click.option("--show", default=5, help="Faults to print.")
def main(carts: int, first_seed: int, show: int) -> None:
    """Check out CARTS carts as configured, and the same number of carts with changes. FIRST_SEED is the random seed of the first
    shop."""
    started = time.monotonic()
    trial = asyncio.run(_run(carts, first_seed))
    for title, tally in (("as configured", trial.honest), ("changed", trial.changed)):
        click.echo(f"\nCarts {title}\n")
        for line in lines_of(tally):
            click.echo(line)
    faults = trial.honest.faults + trial.changed.faults
    for seed, fault in list(dict.fromkeys(faults))[:show]:
        click.echo(f"\nseed {seed}: {fault.what}: {fault.bundle}: {fault.details}", err=True)
    click.echo(f"\n{time.monotonic() - started:.0f} s, {len(faults)} faults")
    sys.exit(1 if faults else 0)


async def _run(carts: int, first_seed: int) -> Trial:
    secret = Fernet.generate_key().decode()
    with TemporaryDirectory() as folder:
        settings = Settings(database=str(Path(folder) / "promises.db"), secret_keys=(secret,), log_level="WARNING")
        make_database(Path(settings.database))
        clock = FakeClock()
        async with (
            open_database(settings.database) as database,
            TestClient(TestServer(create_app(settings, clock=clock))) as client,
        ):

            async def make_key(shop: str) -> str:
                store = SqlKeyStore(database)
                tenant = await store.tenant(shop)
                assert tenant is not None
                return await create_key(store, tenant, KeyRequest("test", rate_limit=RATE_LIMIT), clock, RandomIds())

            trial = Trial(client, secret, lambda text: replace_shop(database, text), make_key)
            shops = -(-carts // CARTS_OF_A_SHOP)
            for number in range(shops):
                await trial.shop(first_seed + number, min(CARTS_OF_A_SHOP, carts - number * CARTS_OF_A_SHOP))
                faults = len(trial.honest.faults) + len(trial.changed.faults)
                click.echo(f"\r{(number + 1) * CARTS_OF_A_SHOP} + as many carts, {faults} faults", nl=False, err=True)
            return trial


if __name__ == "__main__":
    main()
