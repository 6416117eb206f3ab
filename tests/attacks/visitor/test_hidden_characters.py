"""Names that are displayed as other names: right-to-left overrides, and escape sequences for the operator's terminal.

A bundle's name, a label or a shop file contains U+202E (between "gift" and "gnp.exe", it makes the name look like "giftexe.png")
or ESC, which the console log and `doctor` would write to the terminal. Such text is refused in input. If text from a platform or
from a request's path contains these characters, they are removed before the text is printed.
"""

from pathlib import Path

import pytest

from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.process.serving import command, prepare, serving

REVERSED = "gift\u202egnp.exe"
CLEARS_THE_SCREEN = "\x1b[2J\x1b]0;owned\x07"
HIDDEN = [REVERSED, CLEARS_THE_SCREEN, "Box\u2067", "one\ntwo", "\x9b31m"]

WITH_REMINDERS = SHOP_TEXT.replace("activeFeatures: [conditions,", "activeFeatures: [stock-reminders, conditions,")


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    return await make_api(WITH_REMINDERS)


@pytest.mark.parametrize("name", HIDDEN)
async def test_reminder_with_such_a_name_is_refused(api: Api, name: str) -> None:
    body = {"variant": "5001", "customer_email": "mira@mail.example", "bundle_name": name}

    response = (await api.post("/embed/api/v1/notify", body)).held(400)

    assert (response.code, response.paths) == ("invalid_request", ["bundle_name"])
    assert "control character U+" in response.json["details"][0]["message"]


async def test_address_with_such_a_character_is_refused(api: Api) -> None:
    body = {"variant": "5001", "customer_email": "mira\u202e@mail.example", "bundle_name": "Box"}

    assert (await api.post("/embed/api/v1/notify", body)).held(400).paths == ["customer_email"]


@pytest.mark.process
@pytest.mark.parametrize("name", HIDDEN)
def test_shop_file_with_such_a_name_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    escaped = name.encode("unicode_escape").decode()
    written = SHOP_TEXT.replace("name: A tenth off", f'name: "{escaped}"')
    path = tmp_path / "shop.yaml"
    path.write_text(written)
    line = written[: written.index(escaped)].count("\n") + 1

    result = command(tmp_path, "load", path)

    assert result.returncode == 1
    assert f"{path}:{line}: " in result.stderr
    assert "This contains the control character U+" in result.stderr
    assert name not in result.stderr


@pytest.mark.process
def test_label_of_a_key_is_refused(tmp_path: Path) -> None:
    prepare(tmp_path)

    result = command(tmp_path, "keys", "create", "--shop", "demo", "--label", REVERSED)

    assert result.returncode != 0
    assert "control character U+202E" in result.stderr


@pytest.mark.process
def test_path_of_a_request_cannot_control_the_terminal(tmp_path: Path) -> None:
    """An attacker, who needs no key to send a request, cannot control the terminal with a request path that the console log
    shows."""
    prepare(tmp_path)
    with serving(tmp_path, settings={"BUNDLESVC_LOG_FORMAT": "console"}) as server:
        assert server.get("/%1b[2J%e2%80%aegnp.exe").status == 404
        assert server.stop() == 0
        output = server.out.end()

    assert "gnp.exe" in output
    assert [letter for letter in output if not letter.isprintable() and letter != "\n"] == []
