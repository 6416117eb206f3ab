"""Which requests took the fast path of POSTs."""

from typing import Any

import pytest

from bundlesvc.api.fast_path.posts import Posts


def paths_handled_by(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests for which this method of `Posts` returns something, from now on."""
    paths: list[str] = []
    method = getattr(Posts, name)

    def remembering(self: Posts, message: Any, *arguments: Any) -> Any:
        result = method(self, message, *arguments)
        if result is not None:
            paths.append(message.path)
        return result

    monkeypatch.setattr(Posts, name, remembering)
    return paths
