"""The app that a shop has installed, and the access tokens that the app gets for its client ID and client secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from aiohttp import web

from bundlesvc.ports import Clock
from tests.standin.app.webhooks import SECRET

CLIENT_ID = "standin-client-id"
TOKEN_SECONDS = 86_399
"""The lifetime of a token on the platform, in seconds."""
REFRESHED_SECONDS, REFRESH_SECONDS = 3600, 7_776_000
"""The lifetimes, in seconds, of an access token that is issued together with a refresh token, and of the refresh token."""


@dataclass
class App:
    """The shop's app. `installed` says whether the shop has installed it, and `outdates` whether a new token invalidates earlier
    ones, which the platform's documentation does not specify."""

    clock: Clock
    client_id: str = CLIENT_ID
    client_secret: str = SECRET
    other_secret: str = ""
    """The second of two valid secrets while the app's secret is being rotated."""
    installed: bool = True
    same_organization: bool = True
    token_seconds: float = TOKEN_SECONDS
    outdates: bool = False

    _ends: dict[str, float] = field(init=False, default_factory=dict)
    _numbers: "count[int]" = field(init=False, default_factory=lambda: count(1))

    _refresh_tokens: dict[str, float] = field(init=False, default_factory=dict)
    """The valid refresh tokens, with the times at which they expire."""
    _replaced_by: dict[str, str] = field(init=False, default_factory=dict)
    """The used refresh tokens, with their replacements."""

    def authorize(self) -> str:
        """Authorize the app, as a merchant does, and return a new refresh token. Earlier refresh tokens become invalid."""
        self._refresh_tokens.clear()
        return self._new_refresh_token()

    def knows(self, token: str) -> bool:
        """Whether the token was issued to this app and is still valid."""
        return self.clock.monotonic() < self._ends.get(token, 0)

    def withdraw_tokens(self) -> None:
        """Invalidate all issued tokens. The app may request new ones."""
        self._ends.clear()

    async def respond(self, request: web.Request) -> web.Response:
        """Respond to a request to the token endpoint."""
        form = await request.post()
        refusal = self._refusal({name: str(value) for name, value in form.items()})
        if refusal:
            return _refused(*refusal, as_json="application/json" in request.headers.get("Accept", ""))
        if self.outdates:
            self.withdraw_tokens()
        return web.json_response(
            self._refreshed(str(form["refresh_token"])) if "refresh_token" in form else self._new()
        )

    def _new(self, seconds: float | None = None) -> dict[str, object]:
        """Issue a new access token, and return the response that contains it."""
        token, lives = f"standin-token-{next(self._numbers)}", seconds or self.token_seconds
        self._ends[token] = self.clock.monotonic() + lives
        return {"access_token": token, "scope": "read_products,write_products", "expires_in": int(lives)}

    def _refreshed(self, used: str) -> dict[str, object]:
        """Issue a new access token and refresh token. The used refresh token stays valid until its replacement is used, but not
        beyond its original expiry. A repeated request gets the same replacement."""
        for before, after in list(self._replaced_by.items()):
            if after == used:
                self._refresh_tokens.pop(before, None)
        if used not in self._replaced_by:
            self._replaced_by[used] = self._new_refresh_token()
        return self._new(REFRESHED_SECONDS) | {
            "refresh_token": self._replaced_by[used],
            "refresh_token_expires_in": REFRESH_SECONDS,
        }

    def _new_refresh_token(self) -> str:
        token = f"standin-refresh-{next(self._numbers)}"
        self._refresh_tokens[token] = self.clock.monotonic() + REFRESH_SECONDS
        return token

    def _refusal(self, form: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the error code and message for the request, or None when it is correct."""
        if form.get("grant_type") not in ("client_credentials", "refresh_token"):
            return "unsupported_grant_type", "The grant type is not supported."
        if form.get("client_id") != self.client_id:
            return "application_cannot_be_found", f"Could not find an app with the client id {form.get('client_id')}."
        if form.get("client_secret") not in {self.client_secret, self.other_secret or self.client_secret}:
            return "invalid_client", f"The client secret {form.get('client_secret')} is wrong."
        if not self.installed:
            return "app_not_installed", "The app is not installed on this shop."
        if form["grant_type"] == "refresh_token":
            valid = self.clock.monotonic() < self._refresh_tokens.get(form.get("refresh_token", ""), 0)
            return None if valid else ("invalid_grant", f"The refresh token {form.get('refresh_token')} is not valid.")
        if not self.same_organization:
            return "shop_not_permitted", "Client credentials cannot be performed on this shop."
        return None


def _refused(code: str, words: str, *, as_json: bool) -> web.Response:
    """Build an error response, as JSON if the request accepts it, otherwise as an HTML page."""
    if as_json:
        return web.json_response({"error": code, "error_description": words}, status=400)
    page = f"<html><head><title>400 - Oauth error {code}</title></head><body>Oauth error {code}: {words}</body></html>"
    return web.Response(status=400, text=page, content_type="text/html")
