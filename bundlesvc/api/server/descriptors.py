"""File descriptors: how many connections they allow, and log messages when none are left."""

import errno
import logging
import os
import resource

logger = logging.getLogger("bundlesvc")

SPARE_CONNECTIONS, MAX_SPARE_CONNECTIONS = 32, 1024
"""The minimum number of spare connections beyond the limit, and the maximum number if there are enough descriptors. Spare
connections serve operators, so that a full process does not look dead, and tell other clients why they are refused."""

OTHER_DESCRIPTORS = 200
"""Descriptors reserved for everything other than clients: the database, Redis, platforms and files."""


def affordable(wanted: int) -> tuple[int, int]:
    """Return the number of connections that the file descriptor limit allows, up to `wanted`, and the number of spare connections
    beyond these."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return wanted, MAX_SPARE_CONNECTIONS
    affordable = max(limit - OTHER_DESCRIPTORS - SPARE_CONNECTIONS, limit // 4, 1)
    if affordable < wanted:
        logger.warning(
            "this process may open %d files: it accepts %d connections instead of %d (BUNDLESVC_MAX_CONNECTIONS).",
            limit,
            affordable,
            wanted,
        )
    most = min(wanted, affordable)
    return most, min(max(limit - OTHER_DESCRIPTORS - most, SPARE_CONNECTIONS), MAX_SPARE_CONNECTIONS)


class DescriptorReport:
    """Logs when no file descriptors are left, and when some are available again."""

    def __init__(self) -> None:
        self._without = False

    def update(self) -> None:
        """Log a change since the last call: that no descriptors are left, or that some are available again. Call this method
        regularly."""
        without = _none_left()
        if without and not self._without:
            logger.warning(
                "out of file descriptors (limit: %d): no connection can be accepted, and neither the database nor anything "
                "else can be opened. Raise the limit (ulimit -n), or lower BUNDLESVC_MAX_CONNECTIONS.",
                resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            )
        elif self._without and not without:
            logger.info("there are file descriptors again.")
        self._without = without


def _none_left() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return False
