"""Finds the error message that a database reported for a failure."""


def cause(failure: BaseException) -> str:
    """Return the database's own error message on one line, or the failure's own message when the database reported none."""
    said = str(failure)
    error = failure.__cause__
    while error is not None:
        said = (error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]) or said
        if isinstance(error, TimeoutError):
            said = "no response in time"
        error = error.__cause__
    return said
