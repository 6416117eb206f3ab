"""A driver for a shopper who uses only the keyboard."""

from playwright.sync_api import Page

FOCUSED = """() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const name = node.ariaLabel ?? node.labels?.[0]?.textContent ?? node.textContent;
  return name.replace(/\\s+/g, " ").trim();
}"""


class Keyboard:
    """Presses keys on a page, and reads which element has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def focused(self) -> str:
        """The name of the focused element."""
        return str(self.page.evaluate(FOCUSED))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def tab_to(self, name: str, *, backwards: bool = False) -> list[str]:
        """Press Tab until the element with this name has the focus. Returns the names of all elements that received the focus,
        ending with this element."""
        passed: list[str] = []
        while not passed or passed[-1] != name:
            assert len(passed) < 100, passed
            self.press("Shift+Tab" if backwards else "Tab")
            passed.append(self.focused)
        return passed
