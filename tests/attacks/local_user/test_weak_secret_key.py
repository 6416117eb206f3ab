"""An operator pastes a key from a guide or types zeros, and an attacker who guesses it can create discount strings for any price.

With such a key, `bundlesvc serve` refuses to start, and says how to create a strong key.
"""

import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

from bundlesvc.settings.environment import Settings
from bundlesvc.token_cipher import new_secret_key
from tests.process.serving import NotListening, serving

pytestmark = pytest.mark.process

ZEROS = urlsafe_b64encode(bytes(32)).decode()


@pytest.mark.parametrize("weak", [ZEROS, urlsafe_b64encode(b"changeme" * 4).decode()])
def test_service_does_not_start_with_a_weak_key(tmp_path: Path, weak: str) -> None:
    with pytest.raises(NotListening) as refused, serving(tmp_path, settings={"BUNDLESVC_SECRET_KEYS": weak}):
        pass

    assert refused.value.code == 1
    assert "BUNDLESVC_SECRET_KEYS: One of these keys can be guessed" in refused.value.output
    assert weak not in refused.value.output
    assert "Traceback" not in refused.value.output


def test_the_command_in_the_refusal_makes_a_good_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotListening) as refused, serving(tmp_path, settings={"BUNDLESVC_SECRET_KEYS": ZEROS}):
        pass
    program = refused.value.output.split("python3 -c ")[1].strip().strip('"')

    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()

    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", made)
    assert Settings.from_environment().secret_keys == (made,)


def test_weak_key_behind_a_good_one_is_refused_too(tmp_path: Path) -> None:
    """A weak key after a good one is refused too, because every key in the list decrypts discount strings."""
    good = new_secret_key()
    with pytest.raises(NotListening), serving(tmp_path, settings={"BUNDLESVC_SECRET_KEYS": f"{good},{ZEROS}"}):
        pass
