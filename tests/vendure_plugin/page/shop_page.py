"""A shop page that uses an engine and a service: one bundle to configure, an order, and a payment."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from tests.browser.site import Site
from tests.process.serving import BASE
from tests.vendure_plugin.connected_shop import ConnectedService
from tests.vendure_plugin.shop import COUNTRIES, DemoEngine

HOME = "__default_channel__"
"""The code of the channel with home prices."""

PAGE = Path(__file__).with_name("shop_page.html").read_text("utf-8")

_INDEX = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The demo shop on Vendure</title>
<style>
  body {{ font: 16px/1.6 system-ui, sans-serif; margin: 2rem auto; max-width: 44rem; padding: 0 1rem; }}
  td, th {{ border-bottom: 1px solid #ccc; padding: 0.4rem 1rem 0.4rem 0; text-align: left; }}
</style>
<h1>The demo shop on Vendure</h1>
<p>Choose a bundle, add it to an order, and pay with the test payment.</p>
<table>
<thead><tr><th>Bundle</th><th colspan="{columns}">Sold in</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
"""


def page_address(page: str, service: str, key: str, bundle: int, country: str | None, engine: str, channel: str) -> str:
    """Build the address at which a page shows one bundle, as sold in `channel` to shoppers in `country`. `page`, `service` and
    `engine` are addresses."""
    settings = {
        "origin": service,
        "base-url": f"{service}{BASE}",
        "api-key": key,
        "bundle-id": bundle,
        "country": country or "",
        "engine": engine,
        "channel": channel,
    }
    return f"{page}?{urlencode(settings)}"


def _index(bundles: Mapping[int, str], addresses: Mapping[int, Mapping[str, str]]) -> str:
    """Build a page with a link for each bundle and market. `addresses` are keyed by bundle id and market name."""
    rows = []
    for number, name in bundles.items():
        links = [f'<td><a href="{escape(to)}">{escape(market)}</a></td>' for market, to in addresses[number].items()]
        rows.append(f"<tr><td>{escape(name)}</td>{''.join(links)}</tr>")
    columns = max((len(markets) for markets in addresses.values()), default=1)
    return _INDEX.format(rows="\n".join(rows), columns=columns)


def put_shop(site: Site, engine: DemoEngine, service: ConnectedService) -> str:
    """Put the shop on the site: a page that all bundles share, and an index. Returns the address of the index."""
    page, origin = site.put(PAGE), service.server.address
    markets: list[tuple[str | None, str]] = [(None, HOME), *COUNTRIES.items()]
    addresses = {
        bundle: {
            country or "Home": page_address(
                page, origin, service.key, bundle, country, engine.address, engine.tokens[code]
            )
            for country, code in markets
        }
        for bundle in service.bundles
    }
    site.pages["/"] = (_index(service.bundles, addresses), {})
    return f"{site.origin}/"
