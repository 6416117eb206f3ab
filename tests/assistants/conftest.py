"""Fixtures: the service in demo mode, with the demo shop for which the assistants' tasks are written."""

from tests.api.conftest import (  # noqa: F401 - pytest finds the fixtures here
    database,
    database_file,
    documents_made_once,
    keys,
    serve,
    service,
    shared_api,
)
from tests.demo.service import (  # noqa: F401 - pytest finds the fixtures here
    demo,
    loaded_database,
    make_demo,
)
