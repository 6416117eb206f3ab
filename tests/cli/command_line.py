"""What a command leaves, and how it says that it could not do what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Result:
    """A command's exit status and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What its one line on standard output says."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return orjson.loads(self.out)


Run = Callable[..., Result]


def assert_sentence(result: Result, *words: str) -> None:
    """The command could not do what it was asked, and said so in one line for a person."""
    assert "Traceback" not in result.err, result.err
    assert result.code == 1, result
    assert result.out == ""
    assert result.err.startswith("bundlesvc: ")
    assert result.err.count("\n") == 1, result.err
    for word in words:
        assert word in result.err
    for word in ("sqlalche.me", "[SQL:", "Errno"):
        assert word not in result.err, "a library's words are not for an operator"


def assert_usage(result: Result, *words: str) -> None:
    """The command line itself is wrong: click says how it is meant."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("Usage: bundlesvc ")
    for word in words:
        assert word in result.err
