"""`bundlesvc ghosts` lists ghost variants with their states, and retires them on request."""

from pathlib import Path

import pytest
from sqlalchemy import insert

from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.live_platform.platform_change import BUNDLE, PRODUCT, Change
from bundlesvc.services.ghosts.variants import CROWDED
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_variants
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import in_database
from tests.conftest import SECRET_KEY
from tests.fakes import delivery
from tests.process.shop import BOX, MUG, PAIR, PAIR_PRODUCT
from tests.storage.configured_bundles import NOW, configured, render_response

PAIR_GHOST, BOX_GHOST = 8_100_000_000_000_001, 8_100_000_000_000_002


@pytest.fixture
def with_ghosts(loaded: Run, database_path: Path) -> Run:
    """The command line for a shop with two ghost variants: a `live` one for the bundle Pair, and one for the bundle Box that is
    `marked` because its product has changed."""

    async def make(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        store = SqlConfiguredStore(database)
        ghosts = (PAIR_GHOST, [Change(BUNDLE, PAIR)]), (BOX_GHOST, [Change(BUNDLE, BOX), Change(PRODUCT, MUG)])
        for number, (variant, subjects) in enumerate(ghosts, start=1):
            made = Ghost(f"{variant}", PAIR_PRODUCT, variant, NOW, frozenset(subjects))
            await store.record(tenant, configured(number, configured_at=NOW - number), made, None, render_response)
        await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, MUG)]), NOW)

    in_database(database_path, make)
    return loaded


def states(run: Run, *options: str) -> dict[int, str]:
    return {int(ghost["variantId"]): ghost["state"] for ghost in run("ghosts", "list", "--json", *options).json}


def test_an_empty_list_is_printed_as_none(loaded: Run) -> None:
    assert loaded("ghosts", "list").out == "none\n"
    assert loaded("ghosts", "list", "--json").json == []


def test_json_is_one_line(with_ghosts: Run) -> None:
    first, second = with_ghosts("ghosts", "list", "--json").json
    assert first == {
        "shop": "demo",
        "variantId": str(PAIR_GHOST),
        "productId": str(PAIR_PRODUCT),
        "bundleId": PAIR,
        "state": "live",
        "lastUsed": "2027-01-15T07:59:59+00:00",
        "checked": "2027-01-15T07:59:59+00:00",
        "bought": None,
        "retired": None,
        "removed": None,
    }
    assert (second["variantId"], second["state"]) == (str(BOX_GHOST), "marked")


def test_ghosts_are_listed_as_a_table(with_ghosts: Run) -> None:
    heading, *lines = with_ghosts("ghosts", "list").out.splitlines()
    assert heading.split()[:5] == ["shop", "variantId", "productId", "bundleId", "state"]
    assert [line.split()[1] for line in lines] == [str(PAIR_GHOST), str(BOX_GHOST)]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--shop", "demo"), {PAIR_GHOST, BOX_GHOST}),
        (("--state", "live"), {PAIR_GHOST}),
        (("--state", "marked"), {BOX_GHOST}),
        (("--state", "retired"), set()),
    ],
    ids=str,
)
def test_options_filter_the_list(options: tuple[str, ...], found: set[int], with_ghosts: Run) -> None:
    assert states(with_ghosts, *options).keys() == found


@pytest.mark.parametrize(
    ("arguments", "retired"),
    [
        ((str(PAIR_GHOST),), {PAIR_GHOST}),
        ((str(PAIR_GHOST), str(BOX_GHOST)), {PAIR_GHOST, BOX_GHOST}),
        (("--bundle", str(BOX)), {BOX_GHOST}),
        (("--all-of-state", "marked"), {BOX_GHOST}),
        (("--all-of-state", "live", "--bundle", str(PAIR)), {PAIR_GHOST}),
    ],
    ids=str,
)
def test_named_ghosts_or_all_of_a_state_are_retired(
    arguments: tuple[str, ...], retired: set[int], with_ghosts: Run
) -> None:
    result = with_ghosts("ghosts", "retire", "--shop", "demo", *arguments)
    noun = "ghost variant" if len(retired) == 1 else "ghost variants"
    assert (result.code, result.out, result.err) == (0, "", f"demo: {len(retired)} {noun} retired.\n")
    assert states(with_ghosts, "--state", "retired").keys() == retired


def test_list_of_an_unknown_shop_is_reported(with_ghosts: Run) -> None:
    assert_error(with_ghosts("ghosts", "list", "--shop", "other"), "no shop other")


def test_retiring_unknown_ghosts_is_reported(with_ghosts: Run) -> None:
    assert_error(with_ghosts("ghosts", "retire", "--shop", "demo", "7"), "no such ghost variant in use")
    assert_error(with_ghosts("ghosts", "retire", "--shop", "other", "7"), "no shop other")
    nothing = with_ghosts("ghosts", "retire", "--shop", "demo", "--bundle", str(BOX), "--all-of-state", "live")
    assert_error(nothing, "no such ghost variant in use")
    with_ghosts("ghosts", "retire", "--shop", "demo", str(PAIR_GHOST))
    assert_error(with_ghosts("ghosts", "retire", "--shop", "demo", str(PAIR_GHOST)), "no such ghost variant")
    assert states(with_ghosts)[BOX_GHOST] == "marked"


def test_retire_reports_missing_arguments(with_ghosts: Run) -> None:
    assert_error(with_ghosts("ghosts", "retire", "--shop", "demo"), "name the ghost variants")
    assert_usage(with_ghosts("ghosts", "retire", str(PAIR_GHOST)), "--shop")
    assert_usage(with_ghosts("ghosts", "retire", "--shop", "demo", "0"))


@pytest.mark.parametrize(("count", "problems"), [(CROWDED - 1, 0), (CROWDED, 1)])
def test_doctor_reports_products_that_are_nearly_full(
    count: int, problems: int, loaded: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"shop_id": 1, "identity": f"{number}", "product_id": PAIR_PRODUCT, "variant_id": number, "last_used_at": NOW}
        for number in range(count)
    ]
    in_database(database_path, lambda database: database.write(lambda one: one.execute(insert(ghost_variants), rows)))
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    result = loaded("doctor")
    assert result.code == problems
    assert (f"demo: the product {PAIR_PRODUCT} has {count:,} ghost variants" in result.out) == bool(problems)
