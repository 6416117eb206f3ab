"""Creates files that only the current user can open, whatever the umask: the database, backups, and files with secrets.

These files contain shoppers' e-mail addresses, and secrets that give access to carts. SQLite gives the `-wal` and `-shm` files
the mode of the database file.
"""

import errno
import os
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700
OTHERS, OTHERS_WRITE, STICKY = 0o007, 0o002, 0o1000


def make_folder(folder: Path) -> None:
    """Create a folder with mode 0700 if it does not exist. Raises OSError."""
    try:
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, "This is a file, not a folder", str(folder)) from error


def create(path: Path) -> None:
    """Create an empty file with mode 0600. Raises FileExistsError and any other OSError."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))


def make_database_file(path: Path) -> None:
    """Create the file of a SQLite database, and its folder, if they do not exist. Raises OSError.

    If an existing file belongs to the current user and every user may open it, its mode is changed to 0600. A file that a group
    may open (0640) keeps its mode.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "This is a folder, not a database", str(path))
    make_folder(path.parent)
    try:
        create(path)
    except FileExistsError:
        for file in _of_database(path):
            tighten(file)


def tighten(path: Path) -> None:
    """Change a file's mode to 0600 if it belongs to the current user and every user may open it. Raises OSError."""
    found = _found(path)
    if found and found.st_mode & OTHERS and found.st_uid == os.geteuid():
        path.chmod(FILE_MODE)


def exposed(database: Path) -> list[Path]:
    """List the files of a database that every user may open, and also the database's folder if every user may replace files in
    it."""
    files = [file for file in _of_database(database) if (found := _found(file)) and found.st_mode & OTHERS]
    folder = database.absolute().parent
    mode = folder.stat().st_mode
    return [*files, *([folder] if mode & OTHERS_WRITE and not mode & STICKY else [])]


def _of_database(path: Path) -> list[Path]:
    """List the files that a SQLite database may consist of; `-wal` and `-shm` do not always exist."""
    return [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm")]


def _found(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
