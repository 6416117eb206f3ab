"""Records what a command writes of a shop's content as a revision, or in the audit log."""

import socket
import time
from pathlib import Path

from bundlesvc.domain.revisions.audit import LOAD, PRICES, STOCK
from bundlesvc.domain.revisions.revision import PLATFORM, Act, Actor, file_source
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal


def command_act(command: str, source: str) -> Act:
    """A change that a command makes now, on this computer."""
    return Act(Actor(f"bundlesvc {command}", socket.gethostname(), source), int(time.time()))


def file_journal(path: Path) -> RevisionJournal:
    """Records the load of a file as a revision."""
    return RevisionJournal(Publication(command_act(LOAD, file_source(path.name)), LOAD), describe)


def catalogue_journal(command: str) -> RevisionJournal:
    """Records new prices as a revision, and new stock, which belongs to no revision, in the audit log."""
    action = STOCK if command == STOCK else PRICES
    return RevisionJournal(Publication(command_act(action, PLATFORM), action), describe)
