"""Vendure's Admin API, as a test uses it in the role of an administrator."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.request import Request, urlopen

TIMEOUT = 60.0
_LOGIN = """mutation ($name: String!, $password: String!) {
  login(username: $name, password: $password) { ... on CurrentUser { id } ... on ErrorResult { errorCode message } }
}"""


class Admin:
    """A session with the admin API of the Vendure server at an address, by default as the superadmin."""

    def __init__(self, address: str, name: str = "superadmin", password: str = "superadmin") -> None:
        self._address = f"{address}/admin-api"
        self._headers = {"Content-Type": "application/json"}
        self.token = self._post(_LOGIN, {"name": name, "password": password})[1]["vendure-auth-token"]
        self._headers["Authorization"] = f"Bearer {self.token}"

    def run(self, document: str, **variables: Any) -> Any:
        """Send a document, and return its data. An error makes the test fail, even if it is returned as a member of a union."""
        answer, _ = self._post(document, variables)
        assert not answer.get("errors"), answer
        for value in answer["data"].values():
            assert not (isinstance(value, dict) and "errorCode" in value), value
        return answer["data"]

    def _post(self, document: str, variables: Mapping[str, Any]) -> tuple[Any, Mapping[str, str]]:
        body = json.dumps({"query": document, "variables": variables}).encode()
        with urlopen(Request(self._address, body, self._headers), timeout=TIMEOUT) as response:
            return json.load(response), response.headers
