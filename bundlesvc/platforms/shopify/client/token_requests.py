"""Requests access tokens with an app's client ID and secret, either by the client credentials grant (RFC 6749, section 4.4), or
with a refresh token from the authorization code grant (section 6)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.platforms.calls.call_errors import Refused, Throttled, TokenRefused, Transient
from bundlesvc.platforms.calls.graphql_errors import quote
from bundlesvc.platforms.calls.http import Json, Reply
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.shopify.client.replies import check_status
from bundlesvc.platforms.shopify.client.transport import TokenEndpoint

HOUR, DAY = 3_600, 86_400
"""Seconds for which a token is valid if the response does not contain its lifetime: an hour with a refresh token, otherwise a
day."""

_REFUSED = frozenset({400, 401, 403})
_REASONS: Mapping[str, str] = {
    "application_cannot_be_found": "the platform does not know an app with this client ID: take it from the app's settings",
    "app_not_installed": "the app is not installed in this shop: install it there",
    "shop_not_permitted": "app and shop belong to different organizations: connect with an access token instead",
}
_REASONS_TO_REFRESH: Mapping[str, str] = {
    **_REASONS,
    "invalid_grant": "the refresh token has expired or was revoked: authorize the app in the shop again, and connect with its "
    "new refresh token",
}
_REASON = "the client ID or the client secret is refused: connect the shop again"
"""The message for every error code that has no message of its own. Like the other messages, it states the reason and the
remedy."""

_CODE_IN_PAGE = re.compile(rb"Oauth error (?P<code>[a-z_]+)", re.IGNORECASE)
_TOKEN = re.compile(r"[!-~]+")
"""Visible ASCII: a token is sent in a header."""


@dataclass(frozen=True, slots=True)
class Token:
    """An access token, the number of seconds for which it is valid, and the next refresh token, if there is one."""

    value: str = field(repr=False)
    seconds: float
    refresh_token: str = field(repr=False, default="")


async def request_token(
    endpoint: TokenEndpoint, connection: PlatformConnection, grant: ClientCredentials, seconds: float, notices: Notices
) -> Token:
    """Request a new token for the app of this connection. Raises PlatformUnavailable, PlatformFailed and PlatformTimeout, and
    PlatformNotConnected when the shop refuses the app. Logs the reason once."""
    app = {"client_id": grant.client_id, "client_secret": connection.webhook_secret}
    form = {"grant_type": "client_credentials"}
    if grant.refresh_token:
        form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    try:
        reply = await endpoint.post_form(connection.domain, app | form, seconds)
        token = _token_of(reply, connection.webhook_secret, grant.refresh_token, notices)
    except Refused as refusal:
        raise refusal.error from refusal
    except Throttled as refusal:
        raise PlatformUnavailable(retry_after=max(1, ceil(refusal.retry_after))) from refusal
    except Transient as fault:
        notices.trouble("fetching an access token fails (%s)", fault)
        raise fault.error from fault
    notices.well()
    return token


def _token_of(reply: Reply, secret: str, refresh_token: str, notices: Notices) -> Token:
    if reply.status in _REFUSED:
        raise _refusal(reply, secret, refresh_token, notices)
    check_status(reply, notices)
    value, seconds = reply.payload.get("access_token"), reply.payload.get("expires_in")
    if not isinstance(value, str) or not _TOKEN.fullmatch(value):
        notices.trouble("the response to a token request contains no token (%s)", f"HTTP {reply.status}")
        raise PlatformFailed
    usual = HOUR if refresh_token else DAY
    lives = float(seconds) if isinstance(seconds, int | float) and seconds > 0 else usual
    return Token(value, lives, _next_refresh_token(reply.payload, refresh_token))


def _next_refresh_token(payload: Json, refresh_token: str) -> str:
    """Return the refresh token for the next request: the one in the response, if there is one, or the current one."""
    given = payload.get("refresh_token")
    return given if refresh_token and isinstance(given, str) and _TOKEN.fullmatch(given) else refresh_token


def _refusal(reply: Reply, secret: str, refresh_token: str, notices: Notices) -> PlatformNotConnected:
    payload, found = reply.payload, _CODE_IN_PAGE.search(reply.body)
    code = str(payload.get("error") or (found["code"].decode().lower() if found else ""))
    words = f"HTTP {reply.status} {code} {payload.get('error_description', '')}"
    for hidden in filter(None, (secret, refresh_token)):
        words = words.replace(hidden, "…")
    reasons = _REASONS_TO_REFRESH if refresh_token else _REASONS
    notices.trouble(f"{reasons.get(code, _REASON)} (%s)", quote(words))
    message = "The commerce platform refuses the app that this shop is connected with."
    return PlatformNotConnected(message, retry_after=TokenRefused.retry_after)
