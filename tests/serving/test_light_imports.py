"""The TLS context that aiohttp uses in the service is equal to Python's default context, except that it loads the CA certificates
only when the first connection is opened."""

import ssl
from pathlib import Path

import pytest

from bundlesvc.serving.light_imports import late_default_context
from tests.storage.database.postgresql.certificates import Authority


@pytest.mark.parametrize("attribute", ["verify_mode", "check_hostname", "verify_flags", "options", "minimum_version"])
def test_context_verifies_as_the_default_one(attribute: str) -> None:
    assert getattr(late_default_context(), attribute) == getattr(ssl.create_default_context(), attribute)


def test_certificates_are_loaded_by_the_first_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(tmp_path, "authority").certificate))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))
    context = late_default_context()
    assert context.get_ca_certs() == []
    for _ in range(2):
        context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="shop.example")
        (trusted,) = context.get_ca_certs()
        assert trusted["subject"] == ((("commonName", "authority"),),)
