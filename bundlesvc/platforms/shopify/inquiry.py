"""One question to one shop: all the calls that it takes share a deadline."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bundlesvc.domain.connection import Connection
from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected
from bundlesvc.platforms.shopify.circuit import Circuit
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.documents import Document, document
from bundlesvc.platforms.shopify.notices import Notices
from bundlesvc.platforms.shopify.outcomes import Denied, InDoubt, TokenRefused, TooCostly
from bundlesvc.platforms.shopify.replies import Json
from bundlesvc.platforms.shopify.shop_client import ShopClient

MAX_IDS = 250
"""As many ids as one list may hold."""

Another = Callable[[Connection, Deadline], Awaitable[Connection | None]]
"""The connection to use in place of one whose token was refused; None where there is none."""


async def _no_other(connection: Connection, deadline: Deadline) -> None:
    """A shop has the token that it has."""


class Inquiry:
    """Its methods raise PlatformNotConnected, PlatformUnavailable, PlatformFailed and PlatformTimeout."""

    def __init__(
        self, shop: ShopClient, connection: Connection, deadline: Deadline, another: Another = _no_other
    ) -> None:
        self._shop = shop
        self._connection = connection
        self._deadline = deadline
        self._another = another

    @property
    def notices(self) -> Notices:
        return self._shop.notices

    @property
    def new_variants(self) -> Circuit:
        return self._shop.new_variants

    async def run(self, name: str, **variables: Any) -> Json:
        """The data that answers the document of this name."""
        try:
            return await self.change(name, **variables)
        except InDoubt as doubt:
            raise doubt.error from doubt

    async def change(self, name: str, **variables: Any) -> Json:
        """As `run`, for a caller who can find out what became of a change: raises InDoubt too, and NoMoreVariants."""
        try:
            return await self._run(name, variables)
        except TooCostly as error:
            raise self._too_costly(name) from error

    async def in_batches(
        self,
        name: str,
        ids: Sequence[int],
        variables_of: Callable[[Sequence[int]], Json],
        when_denied: Json | None = None,
    ) -> list[tuple[Sequence[int], Json]]:
        """The answers for all ids, each with the ids that it is for. A document that proves too costly is asked with half as
        many, from then on. `when_denied`: what to take for an answer where the access token lacks a scope."""
        answers: list[tuple[Sequence[int], Json]] = []
        left = list(ids)
        while left:
            batch = left[: self._shop.batch_sizes.get(name, MAX_IDS)]
            try:
                answers.append((batch, await self._run(name, variables_of(batch), when_denied)))
            except TooCostly as error:
                if len(batch) == 1:
                    raise self._too_costly(name) from error
                self._shop.batch_sizes[name] = len(batch) // 2
            else:
                left = left[len(batch) :]
        return answers

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around taking an answer apart: raises PlatformFailed when it is not shaped as the schema says."""
        try:
            yield
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            self.notices.once("an answer is not shaped as the schema says: %s %s", type(error).__name__, error)
            raise PlatformFailed from error

    async def _run(self, name: str, variables: Json, when_denied: Json | None = None) -> Json:
        subject = name, variables.get("country")
        if when_denied is None and self._shop.denied(subject):
            raise PlatformFailed
        try:
            return await self._send(document(name), variables)
        except Denied as error:
            if when_denied is not None:
                return when_denied
            self._shop.deny(subject)
            raise PlatformFailed from error

    async def _send(self, asked: Document, variables: Json) -> Json:
        """With another token where there is one, when the first is refused: nothing was done with that."""
        connection = self._connection
        try:
            return await self._shop.run(connection, asked, variables, self._deadline)
        except TokenRefused as refusal:
            another = await self._another(connection, self._deadline)
            if another is None:
                raise self._refused(refusal) from refusal
            self._connection = another
            self._shop.connected(another)
        try:
            return await self._shop.run(another, asked, variables, self._deadline)
        except TokenRefused as refusal:
            raise self._refused(refusal) from refusal

    def _refused(self, refusal: TokenRefused) -> PlatformNotConnected:
        if refusal.words:  # else it was left alone since it last said so
            self.notices.trouble("the access token is refused: connect the shop again (%s)", refusal.words)
        return PlatformNotConnected(str(refusal), retry_after=refusal.retry_after)

    def _too_costly(self, name: str) -> PlatformFailed:
        self.notices.once("the query %s costs more than any may", name)
        return PlatformFailed()
