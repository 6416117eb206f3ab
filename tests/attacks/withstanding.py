"""Perform an attack while other callers use the service, and check that they are served and that memory stays bounded.

The figures of each attack are printed: its cost, the growth of memory, and the latency of the other callers (median, 99th
percentile, longest). `pytest -rP` shows them. Latency is only reported, because it depends on the machine that runs the test.
"""

from collections.abc import Callable

from tests.attacks.attackers import Attackers, attackers
from tests.attacks.service import Attacked
from tests.attacks.watch import watch

SECONDS = 3.0
"""Duration of an attack whose effect shows soon, in seconds."""

KIBIBYTE, MEBIBYTE = 2**10, 2**20
MAX_GROWTH = 200
"""The maximum growth of memory in MiB: twice the body memory, the caches, and memory that the allocator has not returned."""

Attack = Callable[[Attacked, Attackers], None]


def withstand(service: Attacked, attack: Attack) -> None:
    with attackers(service.server) as many, watch(service.server, service.others) as report:
        attack(service, many)
    print(f"{attack.__name__}\n{many}\n{report}")  # noqa: T201 - for information
    assert many.sent > 0
    assert not report.failures, report.failures
    assert all(each.seconds for each in report.served)
    assert report.grown < MAX_GROWTH
