"""The circuit breaker of one shop."""

import asyncio

import pytest

from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected, PlatformUnavailable
from bundlesvc.platforms.calls.call_errors import Refused, Throttled, Transient
from bundlesvc.platforms.calls.circuit_breaker import COOL_DOWN, THRESHOLD, CircuitBreaker
from tests.fakes import FakeClock


@pytest.fixture
def circuit(clock: FakeClock) -> CircuitBreaker:
    return CircuitBreaker(clock)


def fail(circuit: CircuitBreaker, times: int = THRESHOLD) -> None:
    for _ in range(times):
        with pytest.raises(Transient), circuit.attempt():
            raise Transient(PlatformFailed())


def respond(circuit: CircuitBreaker) -> None:
    with circuit.attempt():
        pass


def test_a_few_failures_do_not_open_it(circuit: CircuitBreaker) -> None:
    fail(circuit, THRESHOLD - 1)
    circuit.check()
    assert circuit.closed


def test_only_consecutive_failures_count(circuit: CircuitBreaker) -> None:
    fail(circuit, THRESHOLD - 1)
    respond(circuit)
    fail(circuit, THRESHOLD - 1)
    assert circuit.closed


def test_many_failures_open_it_with_retry_after(circuit: CircuitBreaker, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN - 1.5)
    with pytest.raises(PlatformUnavailable) as refused:
        circuit.check()
    assert refused.value.retry_after == 2


@pytest.mark.parametrize("given", [Throttled(), PlatformFailed(), ValueError()], ids=["throttled", "failed", "bug"])
def test_a_response_of_any_kind_is_not_a_failure(circuit: CircuitBreaker, given: Exception) -> None:
    fail(circuit, THRESHOLD - 1)
    with pytest.raises(type(given)), circuit.attempt():
        raise given
    fail(circuit, THRESHOLD - 1)
    assert circuit.closed


def test_one_call_is_tried_after_the_cool_down(circuit: CircuitBreaker, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    with circuit.attempt():
        with pytest.raises(PlatformUnavailable) as refused:
            circuit.check()
        assert refused.value.retry_after == 1
    circuit.check()
    assert circuit.closed


def test_a_failed_probe_opens_it_again_at_once(circuit: CircuitBreaker, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    fail(circuit, 1)
    with pytest.raises(PlatformUnavailable):
        circuit.check()
    clock.move(COOL_DOWN)
    respond(circuit)
    assert circuit.closed


def test_a_cancelled_probe_lets_another_call_probe(circuit: CircuitBreaker, clock: FakeClock) -> None:
    fail(circuit)
    clock.move(COOL_DOWN)
    with pytest.raises(asyncio.CancelledError), circuit.attempt():
        raise asyncio.CancelledError
    assert not circuit.closed
    respond(circuit)
    assert circuit.closed


def refuse(circuit: CircuitBreaker, seconds: int = 30) -> None:
    with pytest.raises(Refused), circuit.attempt():
        raise Refused(PlatformNotConnected("Not this token.", retry_after=seconds))


def test_a_refusal_opens_it_for_its_retry_after(circuit: CircuitBreaker, clock: FakeClock) -> None:
    refuse(circuit)
    clock.move(20)
    with pytest.raises(PlatformNotConnected, match=r"Not this token\.") as refused:
        circuit.check()
    assert refused.value.retry_after == 10
    clock.move(10)
    respond(circuit)
    assert circuit.closed


def test_a_probe_that_fails_after_a_refusal_opens_it_again(circuit: CircuitBreaker, clock: FakeClock) -> None:
    refuse(circuit)
    clock.move(30)
    fail(circuit, 1)
    with pytest.raises(PlatformUnavailable) as refused:
        circuit.check()
    assert refused.value.retry_after == COOL_DOWN
