"""What a database says about its failure."""


def cause(failure: BaseException) -> str:
    """The database's own error message on one line, or else the sentence of the failure."""
    said = str(failure)
    error = failure.__cause__
    while error is not None:
        said = (error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]) or said
        if isinstance(error, TimeoutError):
            said = "no response in time"
        error = error.__cause__
    return said
