"""Visitors of a shop's pages, who send requests with one page key from addresses that a trusted proxy reports."""

from collections.abc import Mapping
from dataclasses import dataclass

from bundlesvc.domain.access.key import EMBED, PAGE_RATE_LIMIT, PAGE_VISITOR_LIMIT
from tests.api.conftest import Api, Response
from tests.conftest import MakeKey

ORIGIN = "https://shop.example"
EMBED_API = "/embed/api/v1"
SETTINGS = f"{EMBED_API}/settings"


@dataclass(frozen=True)
class Visitor:
    """A visitor whose requests come from one IP address."""

    api: Api
    forwarded_for: str

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Origin": ORIGIN, "X-Forwarded-For": self.forwarded_for}

    async def get(self, path: str = SETTINGS) -> Response:
        return await self.api.get(path, self.headers)

    async def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Response:
        return await self.api.post(path, body, {**self.headers, **(headers or {})})


async def page_key(make_key: MakeKey, **limits: int | None) -> str:
    """A key as created by `bundlesvc keys create --page`, with these limits instead of the defaults."""
    defaults: dict[str, int | None] = {"rate_limit": PAGE_RATE_LIMIT, "visitor_limit": PAGE_VISITOR_LIMIT}
    return await make_key(scopes=(EMBED,), origins=(ORIGIN,), **{**defaults, **limits})
