"""Helpers that record which requests the fast path answered."""

from typing import Any

import pytest

from bundlesvc.api.fast_path.pipeline import FastPath
from bundlesvc.eager import Waiting


def answered_paths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that collects the paths of the requests that the fast path answers from now on."""
    paths: list[str] = []
    write = FastPath._write

    def remembering(self: FastPath, message: Any, *arguments: Any) -> Any:
        paths.append(message.path)
        return write(self, message, *arguments)

    monkeypatch.setattr(FastPath, "_write", remembering)
    return paths


def begun_paths(monkeypatch: pytest.MonkeyPatch, *, waiting: bool) -> list[str]:
    """A list that collects the paths of requests that the fast path begins to handle: with `waiting`, those that must wait;
    otherwise, those answered immediately."""
    paths: list[str] = []
    begin = FastPath.begin

    def remembering(self: FastPath, message: Any, *arguments: Any) -> Any:
        outcome = begin(self, message, *arguments)
        if isinstance(outcome, Waiting if waiting else tuple):
            paths.append(message.path)
        return outcome

    monkeypatch.setattr(FastPath, "begin", remembering)
    return paths
