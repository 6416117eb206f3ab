"""The conditions under which browser tests are skipped."""

import pytest

from tests.browser.chromium import require_chromium


def test_tests_without_chromium_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no chromium on the PATH"):
        require_chromium()


def test_tests_without_chromium_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no chromium on the PATH"):
        require_chromium()
