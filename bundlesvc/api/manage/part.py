"""What a capability brings to the management API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bundlesvc.api.endpoint import Endpoint
from bundlesvc.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Part:
    """The endpoints of a capability, by the scope that a key needs for them. All have the tag `tag` in the document, where
    `description` explains it. `refusals` are the errors that only this part has, each with an example of a detail."""

    tag: str
    description: str
    endpoints: Mapping[str, tuple[Endpoint, ...]]
    refusals: tuple[tuple[type[InvalidInput], dict[str, Any]], ...] = ()

    def rows(self) -> Iterator[tuple[str, Endpoint]]:
        """Each endpoint with its scope."""
        for scope, endpoints in self.endpoints.items():
            for endpoint in endpoints:
                yield scope, endpoint
