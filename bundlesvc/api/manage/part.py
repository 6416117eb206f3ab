"""What a capability brings to the management API."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from marshmallow import Schema

from bundlesvc.api.endpoint import Endpoint
from bundlesvc.domain.errors import BundlesvcError


@dataclass(frozen=True, slots=True)
class Part:
    """The endpoints of a capability, by the scope that a key needs for them. All have the tag `tag` in the document, where
    `description` explains it. `refusals` are the errors that only this part has, each with an example of a detail, and
    `error_fields` the schemas of the fields that only their responses have. `components` makes further components of the
    document, and `names` has other names for the schemas that are called like one of these."""

    tag: str
    description: str
    endpoints: Mapping[str, tuple[Endpoint, ...]]
    refusals: tuple[tuple[type[BundlesvcError], dict[str, Any]], ...] = ()
    error_fields: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    components: Callable[[], Mapping[str, dict[str, Any]]] = dict
    names: Mapping[type[Schema], str] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[str, Endpoint]]:
        """Each endpoint with its scope."""
        for scope, endpoints in self.endpoints.items():
            for endpoint in endpoints:
                yield scope, endpoint
