"""`bundlesvc shoppers` exports and erases the stored data about a shopper, and lists the requests that platforms have sent."""

import errno
import json
import os
import pty
import sys
from functools import partial
from pathlib import Path

import pytest

from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import DELETE_SHOP, EXPORT, ShopperRequest
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.shopper_requests import add_request
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import in_database
from tests.conftest import SECRET_KEY
from tests.storage.configured_bundles import NOW
from tests.storage.shoppers.two_shoppers import ENGRAVED, MIRA, OF_ALF, SUBSCRIBED, VISITOR, fill

ALL_OF_MIRA = "2 stock reminders, 1 subscription, 2 configured bundles"
REQUESTS = (ShopperRequest(EXPORT, MIRA.upper(), "9"), ShopperRequest(DELETE_SHOP, "roaster.myshopify.com"))


async def demo_shop(database: Database) -> Tenant:
    found = await SqlKeyStore(database).tenant("demo")
    assert found
    return found


@pytest.fixture
def filled(loaded: Run, database_path: Path) -> Run:
    """The `loaded` fixture, with data about two shoppers stored for its shop."""

    async def use(database: Database) -> None:
        await fill(database, await demo_shop(database))

    in_database(database_path, use)
    return loaded


@pytest.fixture
def requested(filled: Run, database_path: Path) -> Run:
    """The `filled` fixture, with a platform's requests stored: to export a shopper's data, and to delete a shop."""

    async def use(database: Database) -> None:
        tenant = await demo_shop(database)
        for request in REQUESTS:
            await database.write(partial(add_request, tenant=tenant, request=request, now=NOW))

    in_database(database_path, use)
    return filled


def test_an_export_is_one_document(filled: Run) -> None:
    result = filled("shoppers", "export", "MIRA@mail.example")
    assert (result.code, result.err) == (0, f"MIRA@mail.example: {ALL_OF_MIRA}.\n")
    document = json.loads(result.out)
    assert [one["variantId"] for one in document["reminders"]] == ["1001", "1002"]
    assert [(one["id"], one["status"]) for one in document["subscriptions"]] == [(1, "pending")]
    engraved, subscribed = document["configuredBundles"]
    assert (engraved["id"], engraved["shop"], engraved["visitorId"]) == (ENGRAVED, "demo", VISITOR)
    assert (engraved["discountedPrice"], engraved["currency"]) == ("43.18", "EUR")
    shirt, mug = engraved["items"]
    assert shirt["answers"] == {"Engraving": "Call Mira@Mail.example", "Wrap": "true"}
    assert (shirt["count"], mug["answers"]) == (2, {})
    assert subscribed["items"][0]["answers"]["Engraving"] == "For my cat"


def test_an_export_into_a_file_is_private(filled: Run, tmp_path: Path) -> None:
    target = tmp_path / "mira.json"
    result = filled("shoppers", "export", MIRA, "--output", target)
    assert (result.code, result.out) == (0, "")
    assert len(json.loads(target.read_text())["reminders"]) == 2
    assert target.stat().st_mode & 0o777 == 0o600

    before = target.read_bytes()
    assert_error(filled("shoppers", "export", MIRA, "--output", target), "exists already", "never overwrites")
    assert target.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(filled: Run, tmp_path: Path) -> None:
    assert_error(filled("shoppers", "export", MIRA, "--output", tmp_path / "no" / "mira.json"), str(tmp_path / "no"))


def test_an_export_that_cannot_be_written_leaves_no_file_and_completes_nothing(
    requested: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    target = tmp_path / "mira.json"
    assert_error(requested("shoppers", "export", MIRA, "--output", target), "No space left")
    assert not target.exists()
    assert requested("shoppers", "requests", "--json").json[0]["completed"] is None


def test_an_erasure_prints_the_number_of_each_kind(filled: Run) -> None:
    result = filled("shoppers", "erase", MIRA, "--shop", "demo", "--yes")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"{MIRA}: {ALL_OF_MIRA} erased.\n"
    document = json.loads(filled("shoppers", "export", MIRA).out)
    assert [document[kind] for kind in ("reminders", "subscriptions", "configuredBundles")] == [[], [], []]


def test_the_database_file_contains_nothing_of_an_erased_shopper(filled: Run, database_path: Path) -> None:
    """The database file contains nothing about a shopper whose data was erased, because deleted rows are overwritten."""

    def found(text: bytes) -> int:
        return database_path.read_bytes().lower().count(text)

    of_alf = found(b"admira@mail.example")
    assert (found(b"mira@mail.example") > of_alf, found(b"for my cat") > 0) == (True, True)
    filled("shoppers", "erase", MIRA, "--yes")
    assert (found(b"mira@mail.example"), found(b"for my cat")) == (of_alf, 0)


@pytest.mark.parametrize("command", [("export",), ("erase",), ("erase", "--yes")], ids=" ".join)
def test_nothing_stored_is_no_failure(command: tuple[str, ...], filled: Run) -> None:
    result = filled("shoppers", *command, "nobody@mail.example")
    assert (result.code, result.err) == (0, "nobody@mail.example: nothing is stored.\n")


def test_an_erasure_without_confirmation_changes_nothing(filled: Run) -> None:
    assert_error(filled("shoppers", "erase", MIRA), f"{ALL_OF_MIRA} would be erased", "--yes")
    assert filled("shoppers", "export", MIRA).err == f"{MIRA}: {ALL_OF_MIRA}.\n"


@pytest.mark.parametrize(("answer", "code", "last"), [("y", 0, "erased.\n"), ("n", 1, "nothing was changed.\n")])
def test_a_terminal_is_asked(answer: str, code: int, last: str, filled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    with os.fdopen(theirs, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        result = filled("shoppers", "erase", MIRA)
    os.close(ours)
    assert result.code == code
    assert "would be erased. Continue?" in result.err
    assert result.err.endswith(last)


def test_named_configured_bundles_are_included(filled: Run) -> None:
    """Configured bundles given by id, for example from an order of the shopper, are included."""
    result = filled("shoppers", "export", MIRA, "--configured-bundle", OF_ALF, "--configured-bundle", SUBSCRIBED)
    assert [one["id"] for one in json.loads(result.out)["configuredBundles"]] == [ENGRAVED, SUBSCRIBED, OF_ALF]
    for command in ("export", "erase"):
        refused = filled("shoppers", command, MIRA, "--configured-bundle", 12345)
        assert_error(refused, "there is no configured bundle 12345")
        assert refused.out == ""


@pytest.mark.parametrize("command", ["export", "erase"])
def test_wrong_input_is_named(command: str, filled: Run) -> None:
    assert_error(filled("shoppers", command, "mira"), "mira is not an e-mail address")
    assert_error(filled("shoppers", command, MIRA, "--shop", "nowhere"), "there is no shop nowhere", "shops list")
    assert_usage(filled("shoppers", command, MIRA, "--configured-bundle", "x"), "configured-bundle")
    assert_usage(filled("shoppers", command), "EMAIL")


def test_an_export_completes_the_requests_for_it(requested: Run) -> None:
    assert requested("shoppers", "erase", MIRA).err.endswith(
        "would be erased, before 1 open request to export it. Add --yes to do it.\n"
    )
    export, deletion = requested("shoppers", "requests", "--json").json
    assert export == {
        "shop": "demo",
        "request": "export",
        "about": MIRA.upper(),
        "reference": "9",
        "received": "2027-01-15T08:00:00+00:00",
        "due": "2027-02-14T08:00:00+00:00",
        "completed": None,
    }
    assert deletion["request"] == "delete_shop"

    result = requested("shoppers", "export", MIRA)
    assert result.err.splitlines()[1] == "1 request of the platform completed."
    export, _ = requested("shoppers", "requests", "--json").json
    assert export["completed"]
    assert requested("shoppers", "export", MIRA).err.count("\n") == 1


def test_requests_are_printed_as_a_table(requested: Run) -> None:
    lines = requested("shoppers", "requests").out.splitlines()
    assert lines[0].split() == ["shop", "request", "about", "reference", "received", "due", "completed"]
    assert lines[1].startswith("demo  export")


def test_no_requests(loaded: Run) -> None:
    assert loaded("shoppers", "requests").out == "none\n"
    assert loaded("shoppers", "requests", "--json").json == []


def test_doctor_lists_open_requests(requested: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    line = f"• demo: the platform requests the data of {MIRA.upper()}; due on 2027-02-14."
    assert line in requested("doctor").out
    requested("shoppers", "export", MIRA)
    assert line not in requested("doctor").out
