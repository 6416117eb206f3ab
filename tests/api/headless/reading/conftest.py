"""The service that these tests share. They only read."""

import pytest

from tests.api.conftest import Api


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def api_with_test_key(shared_api_with_test_key: Api) -> Api:
    return shared_api_with_test_key


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api
