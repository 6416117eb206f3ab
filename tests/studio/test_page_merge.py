"""The page merges the changes of two users in the same way as the service, and its patches have the intended result."""

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from bundlesvc.domain.revisions.merge import merge
from bundlesvc.domain.revisions.plain import dotted
from tests.domain.revisions.contents import CONTENTS, Plain, edited
from tests.storefront.node import require_node

SCRIPT = Path(__file__).with_name("merges.mjs")
EDITS = 40


def in_page(cases: list[dict[str, Plain]]) -> list[dict[str, Plain]]:
    """Run the merge of the studio page's module on each of these cases, and return the results."""
    run = subprocess.run(
        [require_node(), str(SCRIPT)],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    made: list[dict[str, Plain]] = json.loads(run.stdout)
    return made


def patched(value: Plain, patch: Plain) -> Plain:
    """Apply a merge patch to a value, as RFC 7386 defines it."""
    if not isinstance(patch, dict):
        return patch
    made = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            made.pop(key, None)
        else:
            made[key] = patched(made.get(key), part)
    return made


@pytest.mark.process
@settings(max_examples=12)
@given(CONTENTS)
def test_page_merges_as_the_service_does(content: Plain) -> None:
    random = Random(json.dumps(content))
    cases = [
        {
            "base": content,
            "theirs": edited(content, random.getrandbits(32)),
            "mine": edited(content, random.getrandbits(32)),
        }
        for _ in range(EDITS)
    ]

    for case, made in zip(cases, in_page(cases), strict=True):
        expected = merge(case["base"], case["theirs"], case["mine"])
        assert made["merged"] == expected.content
        assert made["clashes"] == [dotted(conflict.path) for conflict in expected.conflicts]
        assert patched(case["base"], made["patch"]) == case["mine"]
