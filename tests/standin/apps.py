"""The app of a shop, and its access tokens for client ID and client secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from aiohttp import web

from bundlesvc.ports import Clock
from tests.standin.webhooks import SECRET

CLIENT_ID = "standin-client-id"
TOKEN_SECONDS = 86_399
"""The lifetime of a token on the platform."""


@dataclass
class App:
    """The app of the shop. `installed`: whether the shop has it. `outdates`: whether a new token ends earlier ones, which the
    platform does not document."""

    clock: Clock
    client_id: str = CLIENT_ID
    client_secret: str = SECRET
    installed: bool = True
    same_organization: bool = True
    token_seconds: float = TOKEN_SECONDS
    outdates: bool = False

    _ends: dict[str, float] = field(init=False, default_factory=dict)
    _numbers: "count[int]" = field(init=False, default_factory=lambda: count(1))

    def knows(self, token: str) -> bool:
        """Whether the token was issued to this app and is still valid."""
        return self.clock.monotonic() < self._ends.get(token, 0)

    def withdraw_tokens(self) -> None:
        """End all issued tokens. The app may request new ones."""
        self._ends.clear()

    async def respond(self, request: web.Request) -> web.Response:
        """The token endpoint."""
        form = await request.post()
        refusal = self._refusal({name: str(value) for name, value in form.items()})
        if refusal:
            return _refused(*refusal, as_json="application/json" in request.headers.get("Accept", ""))
        if self.outdates:
            self.withdraw_tokens()
        token = f"standin-token-{next(self._numbers)}"
        self._ends[token] = self.clock.monotonic() + self.token_seconds
        return web.json_response(
            {"access_token": token, "scope": "read_products,write_products", "expires_in": int(self.token_seconds)}
        )

    def _refusal(self, form: Mapping[str, str]) -> tuple[str, str] | None:
        """Error code and message; None when the request is correct."""
        if form.get("grant_type") != "client_credentials":
            return "unsupported_grant_type", "The grant type is not supported."
        if form.get("client_id") != self.client_id:
            return "application_cannot_be_found", f"Could not find an app with the client id {form.get('client_id')}."
        if form.get("client_secret") != self.client_secret:
            return "invalid_client", f"The client secret {form.get('client_secret')} is wrong."
        if not self.installed:
            return "app_not_installed", "The app is not installed on this shop."
        if not self.same_organization:
            return "shop_not_permitted", "Client credentials cannot be performed on this shop."
        return None


def _refused(code: str, words: str, *, as_json: bool) -> web.Response:
    """JSON if the request accepts it, otherwise an HTML page."""
    if as_json:
        return web.json_response({"error": code, "error_description": words}, status=400)
    page = f"<html><head><title>400 - Oauth error {code}</title></head><body>Oauth error {code}: {words}</body></html>"
    return web.Response(status=400, text=page, content_type="text/html")
