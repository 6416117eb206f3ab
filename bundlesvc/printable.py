"""Makes untrusted text safe for a terminal: titles from a live platform, names from a page, paths of requests."""


def printable(text: str) -> str:
    """Replace with a space each character that breaks the line, controls the terminal or hides text."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def printable_lines(text: str) -> str:
    """Make each line printable, and keep the line breaks."""
    return "\n".join(map(printable, text.split("\n")))
