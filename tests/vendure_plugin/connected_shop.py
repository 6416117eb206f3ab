"""The demo shop with its products on Vendure: its shop file, and a service that is connected to an engine."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import COMMAND, TIMEOUT, Server, environment, serving
from tests.standin.data.connected_file import file_without_products, write_file
from tests.vendure.admin import Admin
from tests.vendure.seeding import READER, Seeding
from tests.vendure_plugin.shop import DEMO_SHOP, DemoEngine

DOMAIN = "vendure.shop.example"


class CommandFailed(Exception):
    """Raised when a command of the service fails. The message is the output of the command."""


@dataclass(frozen=True)
class Connection:
    """The results of connecting the demo shop to Vendure: an API key for web pages, and the names of the bundles by id."""

    key: str
    bundles: dict[int, str]


@dataclass(frozen=True)
class ConnectedService:
    """A running service with the demo shop on Vendure. `check` is the output of `platform check`; `bundles` contains the names of
    the bundles by id."""

    server: Server
    key: str
    check: str
    bundles: dict[int, str]


@contextmanager
def connected_service(folder: Path, engine: DemoEngine, origin: str, port: int = 0) -> Iterator[ConnectedService]:
    """Run a service whose data is in `folder`, with an API key for pages from this origin. Raises CommandFailed."""
    connection, settings = connect(folder, engine, origin), settings_for(engine)
    with serving(folder, "--port", str(port), settings=settings) as server:
        check = run(folder, settings, "platform", "check", "--shop", "demo", may_fail=True)
        yield ConnectedService(server, connection.key, check, connection.bundles)


def connect(folder: Path, engine: DemoEngine, origin: str) -> Connection:
    """Load the shop file, and connect the shop to the engine. Raises CommandFailed."""
    file, settings = folder / "shop.yaml", settings_for(engine)
    bundles = write_shop_file(engine, file)
    (folder / "var").mkdir(exist_ok=True)
    token = Admin(engine.address, READER, READER).token
    run(folder, settings, "load", str(file))
    run(folder, settings, "platform", "connect", "--shop", "demo", sent=token)
    made = run(folder, settings, "keys", "create", "--shop", "demo", "--label", "pages", "--page", origin)
    return Connection(next(word for word in made.split() if word.startswith("bnd_")), bundles)


def new_key(folder: Path, settings: dict[str, str], scope: str) -> str:
    """Create an API key for use on a server, with one scope. Raises CommandFailed."""
    wanted = ("--shop", "demo", "--label", scope, "--scope", scope, "--rate-limit", "1000000")
    made = run(folder, settings, "keys", "create", *wanted)
    return next(word for word in made.split() if word.startswith("bnd_"))


def first_secret(folder: Path) -> str:
    """Return the webhook secret of a shop that is not connected yet. The plugin needs this secret to start. Raises
    CommandFailed."""
    file = folder / "first.yaml"
    write_file(
        file_without_products(DEMO_SHOP, {"kind": "vendure", "domain": DOMAIN}) | {"bundles": [], "experiments": []},
        file,
    )
    (folder / "var").mkdir(exist_ok=True)
    run(folder, {}, "load", str(file))
    return run(folder, {}, "platform", "connect", "--shop", "demo", "--no-check", sent="none:yet").split()[-1]


def settings_for(engine: DemoEngine) -> dict[str, str]:
    """Return the settings of a service whose shops use this engine."""
    return {"BUNDLESVC_VENDURE_ENDPOINT": engine.address}


def write_shop_file(engine: DemoEngine, target: Path) -> dict[int, str]:
    """Write a shop file with the demo shop's native bundles, sold in the engine's channels. Returns the bundles' names by id."""
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
    """Return the bundle without rules about weight, which Vendure does not support."""
    rules = [rule for rule in bundle.get("limitRules", []) if "weight" not in rule["type"]]
    return bundle | {"limitRules": rules}


def _bundles_of(experiment: dict[str, Any]) -> set[int]:
    return {int(arm["bundleId"]) for arm in experiment.get("arms", [])}


def run(folder: Path, settings: dict[str, str], *arguments: str, sent: str = "", may_fail: bool = False) -> str:
    """Run a command of the service, and return its output. Raises CommandFailed, unless the command may fail."""
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
    if done.returncode and not may_fail:
        raise CommandFailed(f"bundlesvc {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout
