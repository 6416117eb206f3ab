"""Imports libraries without the modules and data that they need only in rare cases, which saves memory in each process. Import
this module before any other.

- structlog imports rich for a kind of traceback that the service does not print.
- aiohttp loads the certificates of all certificate authorities on import. Here they are loaded when a platform is first called.
"""

import os
import ssl
import sys
from typing import Any

_create_default_context = ssl.create_default_context


class LateCertificates(ssl.SSLContext):
    """An SSL context that does not load the trusted CA certificates until its first connection."""

    _loaded = False

    def wrap_bio(self, *args: Any, **options: Any) -> ssl.SSLObject:
        if not self._loaded:
            self.load_default_certs()
            self._loaded = True
        return super().wrap_bio(*args, **options)


def late_default_context() -> ssl.SSLContext:
    """Create a context like `ssl.create_default_context()`, but load its certificates lazily."""
    context = _create_default_context(capath=os.devnull)  # a folder without certificates
    context.__class__ = LateCertificates
    return context


def _import_aiohttp() -> None:
    ssl.create_default_context = late_default_context  # type: ignore[assignment]
    try:
        import aiohttp.connector  # noqa: F401, PLC0415
    finally:
        ssl.create_default_context = _create_default_context


def _import_structlog() -> None:
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
    try:
        import structlog  # noqa: F401, PLC0415
    finally:
        if sys.modules.get("rich") is None:
            del sys.modules["rich"]


_import_aiohttp()
_import_structlog()
