"""The circuit breaker of one shop."""

import asyncio

import pytest

from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.platforms.shopify.circuit import COOL_DOWN, THRESHOLD, Circuit
from bundlesvc.platforms.shopify.outcomes import Throttled, Transient
from tests.fakes import FakeClock


@pytest.fixture
def circuit(clock: FakeClock) -> Circuit:
    return Circuit(clock)


def fail(circuit: Circuit, times: int = THRESHOLD) -> None:
    for _ in range(times):
        with pytest.raises(Transient), circuit.attempt():
            raise Transient(PlatformFailed())


def answer(circuit: Circuit) -> None:
    with circuit.attempt():
        pass


def test_a_few_failures_leave_it_closed(circuit: Circuit) -> None:
    fail(circuit, THRESHOLD - 1)
    circuit.check()
    assert circuit.closed


def test_failures_count_in_a_row_only(circuit: Circuit) -> None:
    fail(circuit, THRESHOLD - 1)
    answer(circuit)
    fail(circuit, THRESHOLD - 1)
    assert circuit.closed


def test_many_failures_open_it_and_say_when_to_come_back(circuit: Circuit, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN - 1.5)
    with pytest.raises(PlatformUnavailable) as refused:
        circuit.check()
    assert refused.value.retry_after == 2


@pytest.mark.parametrize("given", [Throttled(), PlatformFailed(), ValueError()], ids=["throttled", "refused", "bug"])
def test_an_answer_of_any_kind_is_no_failure(circuit: Circuit, given: Exception) -> None:
    fail(circuit, THRESHOLD - 1)
    with pytest.raises(type(given)), circuit.attempt():
        raise given
    fail(circuit, THRESHOLD - 1)
    assert circuit.closed


def test_after_the_cool_down_one_call_probes(circuit: Circuit, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    with circuit.attempt():
        with pytest.raises(PlatformUnavailable) as refused:
            circuit.check()
        assert refused.value.retry_after == 1
    circuit.check()
    assert circuit.closed


def test_a_probe_that_fails_opens_it_again_at_once(circuit: Circuit, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    fail(circuit, 1)
    with pytest.raises(PlatformUnavailable):
        circuit.check()
    clock.move(COOL_DOWN)
    answer(circuit)
    assert circuit.closed


def test_a_probe_that_is_cancelled_makes_room_for_another(circuit: Circuit, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    with pytest.raises(asyncio.CancelledError), circuit.attempt():
        raise asyncio.CancelledError
    assert not circuit.closed
    answer(circuit)
    assert circuit.closed
