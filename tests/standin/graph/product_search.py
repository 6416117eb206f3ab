"""The parts of the platform's search language that are used in product searches: terms, prefixes, ids, groups, AND, OR and
negation.

Special characters after a backslash are literal. Two terms without an operator between them are joined by AND.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.standin.data.shop import Product
from tests.standin.operations.refusals import bad_request

Test = Callable[[Product], bool]

_TOKEN = re.compile(
    r"""\s*(?:(?P<open>\()|(?P<close>\))|(?P<not>-(?=\S)|NOT(?=\s))|(?P<and>AND(?=\s))|(?P<or>OR(?=\s))"""
    r"""|(?:(?P<name>[a-z_]+):)?(?P<value>(?:\\.|[^\s:\\()"'])+)|(?P<end>$))""",
    re.DOTALL,
)


def found_by(query: str | None) -> Test:
    """Parse a search into a function that tests whether a product matches. Raises Refusal for unsupported syntax."""
    search = _Search(_tokens(query or ""))
    test = search.either()
    search.take("end")
    return test


def _tokens(query: str) -> list[re.Match[str]]:
    tokens: list[re.Match[str]] = []
    place = 0
    while not tokens or tokens[-1].lastgroup != "end":
        token = _TOKEN.match(query, place)
        if token is None:
            raise bad_request("Invalid search query")
        tokens.append(token)
        place = token.end()
    return tokens


@dataclass
class _Search:
    tokens: Sequence[re.Match[str]]
    place: int = field(default=0)

    def take(self, kind: str) -> re.Match[str] | None:
        """Take the next token if it is of this kind, otherwise return None. Raises Refusal if a required token is missing: the
        end, or a closing bracket."""
        token = self.tokens[self.place]
        if token[kind] is None:
            if kind in ("end", "close"):
                raise bad_request("Invalid search query")
            return None
        self.place += kind != "end"
        return token

    def either(self) -> Test:
        tests = [self._all()]
        while self.take("or"):
            tests.append(self._all())
        return lambda product: any(test(product) for test in tests)

    def _all(self) -> Test:
        tests: list[Test] = []
        while any(self.tokens[self.place][kind] is not None for kind in ("open", "not", "and", "value")):
            if not self.take("and"):
                tests.append(self._term())
        return lambda product: all(test(product) for test in tests)

    def _term(self) -> Test:
        if self.take("not"):
            test = self._term()
            return lambda product: not test(product)
        if self.take("open"):
            inner = self.either()
            self.take("close")
            return inner
        token = self.take("value")
        assert token is not None
        return _value_test(token["name"], token["value"])


def _value_test(name: str | None, value: str) -> Test:
    if name == "id":
        return lambda product: str(product.id) == value
    if name == "status":
        return lambda product: product.status.lower() == value
    if name == "bundles":
        return lambda product: bool(product.components) == (value == "true")
    if name == "has_variant_with_components":
        return lambda product: any(variant.components for variant in product.variants) == (value == "true")
    if name is not None:
        raise bad_request(f"Unknown field {name}")
    wanted = re.sub(r"\\(.)", r"\1", value.removesuffix("*"), flags=re.DOTALL).casefold()
    return lambda product: any(
        word.startswith(wanted) if value.endswith("*") else word == wanted for word in _words(product)
    )


def _words(product: Product) -> list[str]:
    skus = [variant.sku or "" for variant in product.variants]
    return " ".join([product.title, product.vendor, product.product_type, *product.tags, *skus]).casefold().split()
