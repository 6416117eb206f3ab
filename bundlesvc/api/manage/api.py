"""The shared core of the management API. Each capability mounts its own part with one line in `app.py`."""

from dataclasses import replace

from aiohttp import web

from bundlesvc.api.documentation.pages import MANAGEMENT_PATH, reference
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.manage.document import DOCUMENT_PATH, ManageDocument
from bundlesvc.api.manage.part import Part
from bundlesvc.api.middleware.gate import Gate, behind_gate

MANAGE_PATH = "/api/manage/v1"


class ManagementApi:
    """The mounted parts of the management API. They use the gate of the main API, with scopes of their own."""

    def __init__(self, app: web.Application, gate: Gate) -> None:
        self._app = app
        self._gate = gate
        self._document = ManageDocument(MANAGE_PATH)
        app.router.add_get(DOCUMENT_PATH, self._document.respond)
        app.router.add_get(MANAGEMENT_PATH, reference(DOCUMENT_PATH, "Management API", MANAGEMENT_PATH))

    def mount(self, part: Part) -> None:
        """Serve the endpoints of a part, and add them to the OpenAPI document."""
        gates = {scope: self._gate.with_scope(scope) for scope in part.endpoints}
        rows = [replace(each, handler=behind_gate(gates[scope], each.handler)) for scope, each in part.rows()]
        add_endpoints(self._app, MANAGE_PATH, rows)
        self._document.add(part)
