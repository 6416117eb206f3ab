"""Fixtures: the service under attack, which is the one of the API tests, but on a real socket."""

from tests.api.conftest import (  # noqa: F401 - pytest finds the fixtures here
    api,
    database,
    database_file,
    documents_made_once,
    keys,
    live,
    live_client,
    loaded_database,
    make_api,
    other_api,
    serve,
)
from tests.attacks.passing_time import (  # noqa: F401 - pytest finds the fixtures here
    no_sweeps,
    quick_sweeps,
)
from tests.demo.service import (  # noqa: F401 - pytest finds the fixtures here
    demo,
    make_demo,
)
