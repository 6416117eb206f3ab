"""The result of a command, and checks of its errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Result:
    """A command's exit status and output."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The single line of JSON on standard output."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return orjson.loads(self.out)


Run = Callable[..., Result]


def assert_error(result: Result, *words: str) -> None:
    """Assert that the command failed and reported the reason in one readable line."""
    assert "Traceback" not in result.err, result.err
    assert result.code == 1, result
    assert result.out == ""
    assert result.err.startswith("bundlesvc: ")
    assert result.err.count("\n") == 1, result.err
    for word in words:
        assert word in result.err
    for word in ("sqlalche.me", "[SQL:", "Errno"):
        assert word not in result.err, "an operator must not see a library's internals"


def assert_usage(result: Result, *words: str) -> None:
    """Assert that the command line was invalid, and that click printed a usage message that contains these words."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("Usage: bundlesvc ")
    for word in words:
        assert word in result.err
