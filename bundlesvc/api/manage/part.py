"""The part that a capability adds to the management API."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from marshmallow import Schema

from bundlesvc.api.endpoint import Endpoint
from bundlesvc.domain.errors import BundlesvcError


@dataclass(frozen=True, slots=True)
class Part:
    """The endpoints of a capability, by the scope that a key needs for them. In the OpenAPI document, all of them have the tag
    `tag`, which `description` explains. `refusals` are the errors specific to this part, each with an example of a detail, and
    `error_fields` are the schemas of the fields that occur only in the responses of these errors. `components` creates additional
    components for the document. `names` renames schemas whose names would otherwise clash."""

    tag: str
    description: str
    endpoints: Mapping[str, tuple[Endpoint, ...]]
    refusals: tuple[tuple[type[BundlesvcError], dict[str, Any]], ...] = ()
    error_fields: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    components: Callable[[], Mapping[str, dict[str, Any]]] = dict
    names: Mapping[type[Schema], str] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[str, Endpoint]]:
        """Yield each endpoint with its scope."""
        for scope, endpoints in self.endpoints.items():
            for endpoint in endpoints:
                yield scope, endpoint
