"""Checks a selection as `configure` would, without storing anything."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import Fault, InvalidInput
from bundlesvc.domain.selection import SelectionRequest
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.price_selection import PriceSelection, Quote, check_quote


@dataclass(frozen=True, slots=True)
class CheckedSelection:
    """The result that `configure` would return for a selection now: the price, if the bundle offers all items of the selection,
    and the error with its faults, if the selection would be refused."""

    quote: Quote | None
    refusal: InvalidInput | None

    @property
    def faults(self) -> Sequence[Fault]:
        return () if self.refusal is None else self.refusal.faults


class CheckSelection:
    """Checks whether `configure` would accept a selection."""

    def __init__(self, bundles: Bundles, price_selection: PriceSelection) -> None:
        self._bundles = bundles
        self._price_selection = price_selection

    async def check(
        self, caller: Caller, bundle_id: int, request: SelectionRequest, deadline: RequestDeadline
    ) -> CheckedSelection:
        """Price the selection and check every rule. Raises NotFound, and what `Platform` raises."""
        bundle = await self._bundles.find(caller, bundle_id)
        # A request that has a type must contain every required answer, so it is checked like a configure call.
        complete = replace(request, type=bundle.type)
        quote = None
        try:
            quote = await self._price_selection.quote(caller.tenant, bundle, complete, deadline)
            check_quote(caller.tenant.shop, bundle, complete, quote)
        except InvalidInput as refusal:
            return CheckedSelection(quote, refusal)
        return CheckedSelection(quote, None)
