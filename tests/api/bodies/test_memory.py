"""Which senders are cut off when the request bodies being received exceed the memory limit."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from bundlesvc.api.bodies.memory import ADDRESS_SHARE, OWNER_SHARE, BodyMemory, IncomingBody, Sender
from bundlesvc.domain.errors import Overloaded

LIMIT = 64_000
ADDRESS, OWNER = LIMIT // ADDRESS_SHARE, LIMIT // OWNER_SHARE


class Bodies:
    """Request bodies from many senders, on a clock that the test controls."""

    def __init__(self) -> None:
        self.now = 0.0
        self.given_up: list[str] = []
        self.memory = BodyMemory(LIMIT, lambda: self.now)
        self.open = ExitStack()

    def begin(self, name: str, size: int = 0, address: str = "", owner: int = 0) -> IncomingBody:
        """Begin receiving a body, of which `size` bytes have already arrived. By default, each body has its own address and
        owner."""
        sender = Sender(address or f"address of {name}", (owner or hash(name),))
        body = self.open.enter_context(self.memory.receiving(sender, lambda: self.given_up.append(name)))
        if size:
            body.add(size)
        return body


@pytest.fixture
def bodies() -> Iterator[Bodies]:
    bodies = Bodies()
    with bodies.open:
        yield bodies


def test_slowest_is_given_up_and_not_the_newcomer(bodies: Bodies) -> None:
    for number in range(10):
        bodies.begin(f"waits {number}", LIMIT // 10)
    bodies.now = 5
    sends = bodies.begin("sends", LIMIT // 10 - 1)
    bodies.now = 6
    bodies.begin("newcomer", 2000).add(1000)
    sends.add(1)
    assert bodies.given_up == ["waits 0", "waits 1"]


def test_who_sent_much_and_stopped_is_slower_than_who_sends_little(bodies: Bodies) -> None:
    bodies.begin("stopped", LIMIT - 6000)
    steady = bodies.begin("steady", 1000)
    for _ in range(4):
        bodies.now += 1
        steady.add(1000)
    bodies.begin("newcomer", 3000)
    assert bodies.given_up == ["stopped"]


def test_one_address_takes_only_from_itself(bodies: Bodies) -> None:
    bodies.begin("other", 10)
    bodies.now = 5
    for number in range(20):
        bodies.now += 1
        bodies.begin(f"own {number}", ADDRESS // 4, address="203.0.113.1")
    assert bodies.given_up == [f"own {number}" for number in range(16)]


def test_one_key_takes_only_from_itself(bodies: Bodies) -> None:
    bodies.begin("other", 10)
    bodies.now = 5
    for number in range(40):
        bodies.now += 1
        bodies.begin(f"own {number}", OWNER // 8, owner=7)
    assert bodies.given_up == [f"own {number}" for number in range(32)]


def test_of_those_that_have_just_begun_the_largest_is_given_up(bodies: Bodies) -> None:
    """A flood of new large bodies, whose rate is not yet known, does not push out small ones."""
    bodies.begin("small", 100)
    for number in range(20):
        bodies.now += 0.01
        bodies.begin(f"large {number}", LIMIT // 10)
    assert "small" not in bodies.given_up
    assert len(bodies.given_up) > 9


def test_body_that_was_given_up_is_refused_when_it_goes_on(bodies: Bodies) -> None:
    slow = bodies.begin("slow", 10)
    bodies.now = 5
    bodies.begin("large", LIMIT)
    assert bodies.given_up == ["slow"]
    with pytest.raises(Overloaded):
        slow.add(1)


def test_single_body_may_exceed_the_share_of_its_address(bodies: Bodies) -> None:
    bodies.begin("webhook", ADDRESS * 2)
    assert bodies.given_up == []


def test_memory_is_free_again_when_bodies_end(bodies: Bodies) -> None:
    for number in range(100):
        sender = Sender("203.0.113.1", (7,))
        with bodies.memory.receiving(sender, lambda: bodies.given_up.append("any")) as body:
            body.add(ADDRESS - number)
    assert bodies.given_up == []
    assert not bodies.memory._groups
