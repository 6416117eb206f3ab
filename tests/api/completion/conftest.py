"""The service with a shop that sells boxes of six."""

import pytest

from tests.api.completion.six import SIX
from tests.api.conftest import Api, MakeApi


@pytest.fixture
async def six(make_api: MakeApi) -> Api:
    return await make_api(SIX)
