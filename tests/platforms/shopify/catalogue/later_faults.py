"""Platform failures between two pages of a list. None of them is reported as an unknown cursor."""

import pytest

from tests.standin.faults import graphql_errors, refused, scope_missing, server_error, too_expensive

LATER_FAULTS = pytest.mark.parametrize(
    "fault",
    [
        pytest.param(refused(403), id="forbidden"),
        pytest.param(scope_missing(), id="no scope"),
        pytest.param(server_error(500), id="broken"),
        pytest.param(too_expensive(), id="too costly"),
        pytest.param(graphql_errors({"message": "no"}), id="refused"),
    ],
)
