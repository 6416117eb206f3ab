"""Text that others wrote, for a terminal: titles of a live platform, names of a shopper's page, paths of requests."""


def printable(text: str) -> str:
    """The text with a space in place of every character that breaks the line, steers the terminal or hides what is there."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def printable_lines(text: str) -> str:
    """The same, line by line."""
    return "\n".join(map(printable, text.split("\n")))
