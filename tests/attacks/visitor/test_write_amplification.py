"""A visitor to a page fills the disk: 30 calls, each with the largest body and its own Idempotency-Key.

A request may contain up to 20,000 bytes of answers, and the stored response is compressed, so 30 calls write less than 2.5 MB.
"""

import random
import sqlite3
import string
from contextlib import closing
from pathlib import Path

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import idempotency_keys
from tests.api.conftest import Api, Response
from tests.api.selection import Json, item
from tests.api.stored import rows

CALLS = 30
UNITS = 200
MEGABYTE = 1_000_000
LETTERS = ((string.ascii_letters + string.digits) * 5)[:256].encode()
"""A letter or digit for every byte value."""


def selection(seed: int, length: int) -> Json:
    """200 units, each with a random string of this length that is hard to compress."""
    source = random.Random(seed)
    notes = [source.randbytes(length).translate(LETTERS).decode() for _ in range(UNITS)]
    return {
        "type": "native",
        "products": [{**item("7001@3"), "personalisation": {"note": note}} for note in notes],
    }


async def configure(api: Api, number: int, length: int) -> Response:
    key = {"Idempotency-Key": f"call-{number}"}
    return await api.post("/bundles/80/configure", selection(number, length), key)


def size(settings: Settings) -> int:
    """The size of the database file and its write-ahead log, in bytes."""
    with closing(sqlite3.connect(settings.database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(settings.database).stat().st_size


async def test_thirty_calls_write_little(api: Api, settings: Settings, database: Database) -> None:
    before = size(settings)

    answers = [(await configure(api, number, 100)).held() for number in range(CALLS)]

    assert size(settings) - before < 2.5 * MEGABYTE
    stored = [row["answer"] for row in await rows(database, idempotency_keys)]
    assert sum(map(len, stored)) < 0.4 * sum(len(answer.body) for answer in answers)


async def test_longer_answers_write_nothing(api: Api, settings: Settings) -> None:
    before = size(settings)

    for number in range(CALLS):
        (await configure(api, number, 1_000)).held(400)

    assert size(settings) == before


async def test_compressed_response_is_replayed_byte_for_byte(api: Api) -> None:
    first = (await configure(api, 1, 100)).held()

    again = (await configure(api, 1, 100)).held()

    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
