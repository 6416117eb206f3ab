"""Records a command's changes to a shop's content as a revision, or in the audit log."""

import socket
import time

from bundlesvc.domain.revisions.audit import PRICES, STOCK
from bundlesvc.domain.revisions.revision import PLATFORM, Act, Actor
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.database.noting import Note
from bundlesvc.storage.revisions.audit import noted_as
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal


def command_act(command: str, source: str, *, dry_run: bool = False) -> Act:
    """Build the record of a change that a command makes: the command's name, this host, and the current time."""
    return Act(Actor(f"bundlesvc {command}", socket.gethostname(), source), int(time.time()), dry_run)


def audited(action: str) -> Note:
    """Create a function that records, in the audit log, the changes that the `action` command makes to keys or webhooks."""
    return noted_as(action, command_act(action, PLATFORM))


def catalogue_journal(command: str) -> RevisionJournal:
    """Create a journal that records new prices as a revision, and new stock in the audit log, because stock is not part of a
    revision."""
    action = STOCK if command == STOCK else PRICES
    return RevisionJournal(Publication(command_act(action, PLATFORM), action), describe)
