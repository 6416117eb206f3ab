"""The diagnosis of open privacy requests about shoppers, as forwarded by platforms."""

import pytest

from bundlesvc.domain.shopper import DELETE_SHOP, ERASE, EXPORT, TIME_TO_ANSWER, ReceivedRequest, ShopperRequest
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE
from bundlesvc.services.diagnosis.shopper_requests import request_results
from tests.fakes import START

RECEIVED = int(START)


def results(kind: str, subject: str, now: float) -> list[tuple[str, str]]:
    received = ReceivedRequest(1, 1, "roaster", ShopperRequest(kind, subject), RECEIVED)
    found = list(request_results([received], now))
    assert [(one.code, one.shop) for one in found] == [("shopper_requests", "roaster")]
    return [(one.status, f"{one.sentence} {one.remedy}") for one in found]


@pytest.mark.parametrize(
    ("kind", "subject", "sentence", "remedy"),
    [
        (
            EXPORT,
            "mira@mail.example",
            "the platform requests the data of mira@mail.example; due on 2027-02-14.",
            "Send it: bundlesvc shoppers export mira@mail.example",
        ),
        (
            ERASE,
            "mira@mail.example",
            "the platform requests to erase a shopper; due on 2027-02-14.",
            "A running service does so within a minute.",
        ),
        (
            DELETE_SHOP,
            "roaster.myshopify.com",
            "the platform requests to delete this shop, because its app was uninstalled; due on 2027-02-14.",
            "A running service does so on 2027-01-22, unless the app is installed again.",
        ),
    ],
)
def test_an_open_request_has_a_sentence_and_what_happens_next(
    kind: str, subject: str, sentence: str, remedy: str
) -> None:
    assert results(kind, subject, START) == [(NOTE, f"{sentence} {remedy}")]


def test_an_overdue_request_is_a_fault() -> None:
    for seconds, status in ((0, NOTE), (1, FAULT)):
        found = results(EXPORT, "mira@mail.example", RECEIVED + TIME_TO_ANSWER + seconds)
        assert [one for one, _ in found] == [status]


def test_an_address_cannot_become_a_command() -> None:
    [(_, sentence)] = results(EXPORT, "$(reboot)@mail.example", START)
    assert sentence.endswith("bundlesvc shoppers export '$(reboot)@mail.example'")
