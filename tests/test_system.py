"""Random ids."""

import os
import re

import pytest

from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.system import READ_AHEAD, RandomIds


def test_ids_of_configured_bundles_do_not_repeat() -> None:
    """Every configured bundle gets ids of its own, even when more random bytes have to be read."""
    made = RandomIds()
    ids = [made.configured_bundle() for _ in range(3 * READ_AHEAD)]
    assert len({number for number, _ in ids}) == len({unique for _, unique in ids}) == len(ids)
    assert all(1 <= number <= MAX_ID and re.fullmatch("[0-9a-f]{32}", unique) for number, unique in ids)


def test_forked_process_creates_other_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process does not use the random bytes that it inherited when it was forked."""
    made = RandomIds()
    made.configured_bundle()
    inherited = list(made._unused)
    forked = os.getpid() + 1
    monkeypatch.setattr(os, "getpid", lambda: forked)
    number, unique = made.configured_bundle()
    assert unique not in {each[8:].hex() for each in inherited}
    assert number not in {int.from_bytes(each[:8], "big") % MAX_ID + 1 for each in inherited}
    assert len(made._unused) == READ_AHEAD - 1
