"""Pages that contain the server-rendered HTML of a bundle, as rendered by a browser."""

import urllib.request
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator

from tests.browser.service import Service
from tests.browser.visit import Visit

PAGE = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
{script}<main><h1>A shop</h1>
<bundle-builder base-url="{base_url}" api-key="{key}" {attributes}>{html}</bundle-builder></main><footer>The end</footer>
"""
NONE, COMPONENT, LOADER = "", "bundle-builder.js", "loader.js"
"""The module that a page loads."""

SHAPE = """(builder) => {
  const properties = ["checked", "value", "disabled", "hidden"];
  const shape = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data || null;
    if (node.nodeType !== Node.ELEMENT_NODE || node.localName === "style") return null;
    const isAttribute = ({ name }) => !["style", "checked", "value"].includes(name);
    const attributes = [...node.attributes].filter(isAttribute).map(({ name, value }) => `${name}=${value}`).sort();
    const state = properties.filter((name) => name in node).map((name) => `${name}: ${node[name]}`);
    const color = node.style?.backgroundColor ?? "";
    return [node.localName, attributes, state, color, [...node.childNodes].map(shape).filter(Boolean)];
  };
  builder.shadowRoot.normalize();
  return [...builder.shadowRoot.childNodes].map(shape).filter(Boolean);
}"""
"""Lists all elements and texts of the shadow root, with attributes and with properties that no attribute shows."""


def html_of(service: Service, shop: str, **query: object) -> str:
    """Fetch a bundle's HTML, as a page's server does."""
    given = urlencode({name: value for name, value in query.items() if value is not None})
    request = urllib.request.Request(f"{service.base_url}/embed/api/v1/bundle/html?{given}")
    request.add_header("Authorization", f"Bearer {service.key(shop)}")
    with urllib.request.urlopen(request, timeout=30) as response:
        return str(response.read().decode())


def first_painted(
    visit: Visit,
    bundle: int,
    *,
    shop: str = "demo",
    module: str = NONE,
    lang: str = "en",
    country: str | None = None,
    children: str = "",
    policy: str | None = None,
    **query: object,
) -> Locator:
    """Open a page that contains the bundle's HTML, and return the element."""
    html = html_of(visit.service, shop, id=bundle, lang=lang, countryCode=country, **query)
    attributes = f'bundle-id="{bundle}" lang="{lang}"' + (f' country="{country}"' if country else "")
    address = f"{visit.service.origin}/storefront/{module}"
    page = PAGE.format(
        base_url=visit.service.base_url,
        key=visit.service.key(shop),
        attributes=attributes,
        html=html + children,
        script=f'<script type="module" src="{address}"></script>' if module else "",
    )
    visit.page.goto(visit.site.put(page, {"Content-Security-Policy": policy} if policy else {}))
    return visit.builder.root


def shape(builder: Locator) -> Any:
    return builder.evaluate(SHAPE)
