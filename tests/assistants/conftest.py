"""The service in demo mode, over the demo shop, where the tasks are."""

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
