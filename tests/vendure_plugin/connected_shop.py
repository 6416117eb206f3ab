"""The demo shop with its products on Vendure: its shop file, and a service that is connected to an engine."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import COMMAND, TIMEOUT, Server, environment, serving
from tests.standin.connected_file import file_without_products, write_file
from tests.vendure.admin import Admin
from tests.vendure.seeding import READER, Seeding
from tests.vendure_plugin.shop import DEMO_SHOP, DemoEngine

DOMAIN = "vendure.shop.example"


class CommandFailed(Exception):
    """A command of the service failed; the message is what it printed."""


@dataclass(frozen=True)
class ConnectedService:
    """A running service with the demo shop on Vendure. `check` is what `platform check` said, `bundles` has the names by id."""

    server: Server
    key: str
    check: str
    bundles: dict[int, str]


@contextmanager
def connected_service(folder: Path, engine: DemoEngine, origin: str) -> Iterator[ConnectedService]:
    """A service whose data is in `folder`, with a key for pages of this origin. Raises CommandFailed."""
    file = folder / "shop.yaml"
    bundles = write_shop_file(engine, file)
    settings = {"BUNDLESVC_VENDURE_ENDPOINT": engine.address}
    (folder / "var").mkdir(exist_ok=True)
    token = Admin(engine.address, READER, READER).token
    run(folder, settings, "load", str(file))
    run(folder, settings, "platform", "connect", "--shop", "demo", sent=token)
    check = run(folder, settings, "platform", "check", "--shop", "demo")
    made = run(folder, settings, "keys", "create", "--shop", "demo", "--label", "pages", "--page", origin)
    key = next(word for line in made.splitlines() for word in line.split() if word.startswith("bnd_"))
    with serving(folder, settings=settings) as server:
        yield ConnectedService(server, key, check, bundles)


def write_shop_file(engine: DemoEngine, target: Path) -> dict[int, str]:
    """Write the native bundles of the demo shop, sold in the engine's channels. Returns their names by id."""
    markets = Seeding(engine.admin, str, read_shop_file(DEMO_SHOP)).markets()
    file = file_without_products(
        DEMO_SHOP,
        {
            "kind": "vendure",
            "domain": DOMAIN,
            "markets": [
                {
                    "countryCode": market.country_code,
                    "currency": market.currency,
                    "exchangeRate": str(market.exchange_rate),
                    "channel": engine.tokens[market.channel or ""],
                }
                for market in markets
            ],
        },
    )
    file["bundles"] = [_without_weights(bundle) for bundle in file["bundles"] if bundle.get("parentVariantId")]
    sold = {int(bundle["id"]): bundle["name"] for bundle in file["bundles"]}
    file["experiments"] = [each for each in file.get("experiments", []) if _bundles_of(each) <= sold.keys()]
    write_file(file, target)
    return sold


def _without_weights(bundle: dict[str, Any]) -> dict[str, Any]:
    """The bundle without rules about weights, which Vendure does not have."""
    rules = [rule for rule in bundle.get("limitRules", []) if "weight" not in rule["type"]]
    return bundle | {"limitRules": rules}


def _bundles_of(experiment: dict[str, Any]) -> set[int]:
    return {int(arm["bundleId"]) for arm in experiment.get("arms", [])}


def run(folder: Path, settings: dict[str, str], *arguments: str, sent: str = "") -> str:
    """What a command of the service prints. Raises CommandFailed."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, settings),
        input=f"{sent}\n",
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    if done.returncode:
        raise CommandFailed(f"bundlesvc {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout
