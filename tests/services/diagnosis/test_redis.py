"""The diagnosis of Redis. tests/cli/doctor/test_doctor.py runs it against every failure."""

import pytest

from bundlesvc.services.diagnosis.check_result import FAULT, OK
from bundlesvc.services.diagnosis.redis import check_redis
from tests.services.fakes import LoggedBefore


class FakeRedis:
    name = "Redis at redis.example:6379"

    def __init__(self, *, up: bool) -> None:
        self.up = up
        self.closed = False

    async def start(self) -> None:
        pass

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize("up", [True, False])
async def test_redis_is_ok_or_its_warnings_are_faults(*, up: bool) -> None:
    redis, warnings = FakeRedis(up=up), LoggedBefore(*([] if up else ["Redis at redis.example:6379 cannot be used"]))
    [result] = [result async for result in check_redis(redis, warnings)]
    assert (result.status, result.code) == (OK if up else FAULT, "redis")
    assert redis.name in result.sentence
    assert redis.closed
