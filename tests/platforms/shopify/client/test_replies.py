"""How a reply is interpreted, depending on its status and errors."""

import logging
from typing import Any

import pytest

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.platforms.calls.call_errors import Denied, Refused, Throttled, TokenRefused, Transient
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.shopify.client.call_errors import CursorRefused, NoMoreVariants, TooCostly
from bundlesvc.platforms.shopify.client.replies import DAILY_LIMIT_SECONDS, data_of
from tests.platforms.shopify.fakes import DOMAIN, refusal, reply


@pytest.fixture
def notices() -> Notices:
    return Notices(DOMAIN)


def read(given: Reply, notices: Notices) -> Any:
    return data_of(given, notices)


def test_data_of_a_successful_reply(notices: Notices) -> None:
    assert read(reply({"data": {"shop": None}}), notices) == {"shop": None}


@pytest.mark.parametrize(
    ("status", "errors", "raised", "retry_after", "logged"),
    [
        (402, "Unavailable Shop", PlatformUnavailable, 60, "the shop is frozen"),
        (
            403,
            "[API] scope",
            PlatformFailed,
            5,
            "access is forbidden: an access scope is missing (HTTP 403 [API] scope)",
        ),
        (404, "Not Found", PlatformFailed, 5, "no shop or no such API version"),
        (423, "Locked", PlatformUnavailable, 60, "the shop is locked"),
        (430, "Security", PlatformUnavailable, 60, "for security reasons"),
    ],
)
def test_http_refusals_are_final_and_logged(
    status: int,
    errors: Any,
    raised: type[Unavailable],
    retry_after: int,
    logged: str,
    notices: Notices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            read(reply({"errors": errors}, status), notices)
        assert (type(refused.value.error), refused.value.error.retry_after) == (raised, retry_after)
    assert [logged in message for message in caplog.messages] == [True]
    assert caplog.messages[0].startswith(f"{DOMAIN}: ")


def test_refused_token_is_not_logged_before_another_was_tried(
    notices: Notices, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Refused) as refused:
        read(reply({"errors": "[API] Invalid API key"}, 401), notices)
    error = refused.value.error
    assert isinstance(error, TokenRefused)
    assert (error.words, error.retry_after) == ("HTTP 401 [API] Invalid API key", 5)
    assert caplog.messages == []


@pytest.mark.parametrize(("status", "errors"), [(400, {"query": "missing"}), (301, "")])
def test_other_statuses_fail_one_call(
    status: int, errors: Any, notices: Notices, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(PlatformFailed):
        read(reply({"errors": errors}, status), notices)
    assert ["unexpected response" in message for message in caplog.messages] == [True]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (500, PlatformFailed),
        (502, PlatformUnavailable),
        (503, PlatformUnavailable),
        (504, PlatformTimeout),
        (530, PlatformUnavailable),
        (540, PlatformUnavailable),
    ],
)
def test_server_errors_are_transient(status: int, error: type[Unavailable], notices: Notices) -> None:
    with pytest.raises(Transient) as fault:
        read(reply(b"<html>", status, Retry_After="2.5"), notices)
    assert type(fault.value.error) is error
    assert fault.value.sent
    assert fault.value.retry_after == 2.5


@pytest.mark.parametrize(
    ("header", "seconds"), [("2", 2.0), ("0.5", 0.5), ("", 0), ("-1", 0), ("inf", 0), ("nan", 0), ("Fri, 1 Jan", 0)]
)
def test_throttled_by_status_429(header: str, seconds: float, notices: Notices) -> None:
    with pytest.raises(Throttled) as refused:
        read(reply(b"Too many requests", 429, Retry_After=header), notices)
    assert refused.value.retry_after == seconds


def test_throttled_by_error_code(notices: Notices) -> None:
    with pytest.raises(Throttled):
        read(refusal("THROTTLED"), notices)


def test_too_costly(notices: Notices) -> None:
    with pytest.raises(TooCostly):
        read(refusal("MAX_COST_EXCEEDED"), notices)


def test_internal_error_with_status_200_is_transient(notices: Notices) -> None:
    with pytest.raises(Transient) as fault:
        read(refusal("INTERNAL_SERVER_ERROR"), notices)
    assert type(fault.value.error) is PlatformFailed


def test_daily_limit_of_variants(notices: Notices) -> None:
    with pytest.raises(NoMoreVariants) as limit:
        read(refusal("VARIANT_THROTTLE_EXCEEDED"), notices)
    assert (type(limit.value.error), limit.value.error.retry_after) == (PlatformUnavailable, DAILY_LIMIT_SECONDS)


def test_partial_data_with_a_missing_scope_is_denied(notices: Notices, caplog: pytest.LogCaptureFixture) -> None:
    message = "Access denied for priceList field.\nRequired access: `read_products`"
    for _ in range(2):
        with pytest.raises(Denied):
            read(refusal("ACCESS_DENIED", message, {"nodes": [], "priceList": None}), notices)
    assert caplog.messages == [
        f"{DOMAIN}: an access scope is missing: Access denied for priceList field. Required access: `read_products`"
    ]


@pytest.mark.parametrize("code", ["undefinedField", "INVALID_VARIABLE", "MAX_INPUT_SIZE_EXCEEDED", "BAD_REQUEST", ""])
def test_refused_document_is_logged(code: str, notices: Notices, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(PlatformFailed):
        read(refusal(code, "Field 'x' doesn't exist"), notices)
    assert caplog.messages == [
        f"{DOMAIN}: the platform refuses a query of this service: {code} Field 'x' doesn't exist"
    ]


@pytest.mark.parametrize("code", ["BAD_REQUEST", ""])
def test_unknown_cursor_is_the_callers_and_not_logged(
    code: str, notices: Notices, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(CursorRefused):
        read(refusal(code, "Invalid cursor for current pagination sort."), notices)
    assert not caplog.messages


def test_unknown_id_is_null_in_the_data(notices: Notices) -> None:
    assert read(refusal("RESOURCE_NOT_FOUND", answer={"product": None}), notices) == {"product": None}


@pytest.mark.parametrize("errors", ["a text", ["a text"], [None], [{}], {"query": "missing"}])
def test_malformed_errors_are_failures(errors: Any, notices: Notices) -> None:
    with pytest.raises(PlatformFailed):
        read(reply({"errors": errors}), notices)


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b'"text"', b'{"data": null}', b'{"data": []}', b"\xff"])
def test_malformed_body_is_transient(body: bytes, notices: Notices) -> None:
    with pytest.raises(Transient) as fault:
        read(reply(body), notices)
    assert type(fault.value.error) is PlatformFailed


def test_troubles_are_logged_again_after_a_recovery(notices: Notices, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(2):
        with pytest.raises(Refused):
            read(reply({"errors": "bad"}, 402), notices)
        notices.well()
        notices.well()
    line = f"{DOMAIN}: the shop is frozen until its bill is paid (HTTP 402 bad)"
    assert caplog.messages == [line, f"{DOMAIN}: the platform responds again."] * 2
