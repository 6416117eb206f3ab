"""Shows the progress of reading a large file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bars

from bundlesvc.shop_file.loading import Progress


@contextmanager
def file_progress(path: Path) -> Iterator[Progress]:
    """Show a progress bar while a large file is read, but only if standard error is a terminal."""
    console = Console(stderr=True)
    with Bars(console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(path.name, total=None)

        def report(stage: str, done: int, total: int) -> None:
            bars.update(task, description=f"{path.name}: {stage}", completed=done, total=total)

        yield report
