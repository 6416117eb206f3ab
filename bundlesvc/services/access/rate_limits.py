"""Limits how many costly results one visitor can create per hour, for keys with a visitor limit (docs/contract.md#rate-limits).

A costly result is a new ghost variant, a configured bundle, a stock reminder or a pending subscription. Each kind has a limit of
its own, in addition to the visitor's limit on requests.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import BundlesvcError, RateLimited
from bundlesvc.domain.rate_limit import HOUR, Bucket, decisive
from bundlesvc.ports import Buckets


class TokenPayment:
    """The tokens that a request pays for the costly results that it creates. Some of these results, such as a configured bundle,
    are known before the request stores anything; others, such as a new ghost variant, become known later. Used as a context
    manager, it returns the tokens for the known results when the request is refused or fails."""

    def __init__(self, buckets: Buckets, available: Mapping[str, Bucket], due: tuple[str, ...]) -> None:
        self._buckets = buckets
        self._available = available
        self._unpaid = self._of(due)
        self._paid: list[Bucket] = []
        self._paid_further: list[Bucket] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, BundlesvcError):  # the known results were not created; later ones may exist
            await self._give_back(self._paid)

    async def pay(self, *further: str) -> None:
        """Take the tokens for the `further` kinds of result, and those that the request still owes, in one step. Raises
        RateLimited."""
        wanted = [*self._of(further), *self._unpaid]
        if not wanted:
            return
        state = decisive(await self._buckets.take(wanted))
        if not state.allowed:
            raise RateLimited(state.retry_after, state.kind)
        self._paid_further += self._of(further)
        self._paid += self._unpaid
        self._unpaid = []

    async def give_back(self) -> None:
        """Put all tokens back into their buckets, because another request produced the results and took the tokens for them."""
        await self._give_back(self._paid + self._paid_further)

    async def _give_back(self, paid: list[Bucket]) -> None:
        if paid:
            await self._buckets.give_back(paid)

    def _of(self, results: Sequence[str]) -> list[Bucket]:
        return [self._available[result] for result in results if result in self._available]


class CostlyResults:
    """The hourly limits on the new ghost variants, configured bundles, stock reminders and pending subscriptions that one visitor
    can create. Each kind counts separately. Callers whose key has no visitor limit are not limited."""

    def __init__(self, buckets: Buckets, per_hour: Mapping[str, int]) -> None:
        self._buckets = buckets
        self._per_hour = per_hour

    def charge(self, caller: Caller, *due: str) -> TokenPayment:
        """Return the payment for the costly results of a request; `due` names those known in advance. Use the payment as a
        context manager while the request is handled."""
        return TokenPayment(self._buckets, self._available_to(caller), due)

    def _available_to(self, caller: Caller) -> Mapping[str, Bucket]:
        if caller.visitor is None:
            return {}
        shared = caller.buckets[0].name
        return {
            result: Bucket(result, f"{shared}:{result}:{caller.visitor}", capacity, HOUR)
            for result, capacity in self._per_hour.items()
        }
