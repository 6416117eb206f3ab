"""The checkout page."""

from collections.abc import Iterator
from decimal import Decimal
from html import escape

from bundlesvc.domain.money import exponent
from tests.standin.data.carts import Cart
from tests.standin.data.shop import Shop
from tests.standin.storefront.checkout import Checkout
from tests.standin.storefront.inputs import InputLine
from tests.standin.storefront.operations import Charge

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Checkout · {shop}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/shop.css">
</head>
<body>
<main>
<h1>{shop}: checkout</h1>
<p>Buying in <span data-testid="country">{country}</span>. This shop is not real: nothing is sold or charged here.</p>
{blocked}
<table>
<tbody>
{lines}
</tbody>
<tfoot><tr class="total"><th scope="row">Total</th><td data-testid="total" data-amount="{amount}">{total}</td></tr></tfoot>
</table>
<h2>Functions that ran</h2>
{runs}
<p><a href="/">Back to the shop</a></p>
</main>
</body>
</html>
"""
_BLOCKED = '<p role="alert">A function failed, and blockOnFailure is on: this cart cannot be bought.</p>'


def checkout_page(shop: Shop, cart: Cart, checkout: Checkout) -> str:
    return _PAGE.format(
        shop=escape(shop.name),
        country=escape(cart.country or "the home market"),
        blocked=_BLOCKED if checkout.blocked else "",
        lines="\n".join(row for charge in checkout.charges for row in _rows(charge, checkout.currency)),
        amount=_amount(checkout.total, checkout.currency),
        total=_money(checkout.total, checkout.currency),
        runs=_runs(checkout),
    )


def _rows(charge: Charge, currency: str) -> Iterator[str]:
    amount = _money(charge.amount, currency)
    before = f"<s>{_money(charge.full, currency)}</s> " if charge.off else ""
    plan = f" · {escape(charge.line.plan.name)}" if charge.line.plan else ""
    kind = "bundle" if charge.parts else "line"
    yield (
        f'<tr data-testid="{kind}"><th scope="row">{_name(charge.line, charge.title)}{plan}</th>'
        f"<td>{before}{amount}</td></tr>"
    )
    for part in charge.parts:
        name, price = _name(part, part.product.title), _money(part.amount, currency)
        yield f'<tr class="part"><th scope="row">{name}</th><td>{price}</td></tr>'
    for message, off in charge.off:
        label = escape(message or "Discount")
        yield f'<tr class="part" data-testid="off"><th scope="row">{label}</th><td>&minus;{_money(off, currency)}</td></tr>'


def _name(line: InputLine, title: str) -> str:
    variant = "" if line.variant.title == "Default Title" else f" · {line.variant.title}"
    return f"{line.quantity} &times; {escape(title + variant)}"


def _runs(checkout: Checkout) -> str:
    rows = [
        f'<li data-testid="run"><code>{escape(run.target)}</code>: {run.instructions:,} instructions'
        f"{f', <strong>{escape(run.error)}</strong>' if run.error else ''}"
        f"{f' <pre>{escape(run.log)}</pre>' if run.log else ''}</li>"
        for run in checkout.runs
    ]
    return (
        f"<ul>{''.join(rows)}</ul>"
        if rows
        else "<p>None: no function is active. Bundles are charged at full price.</p>"
    )


def _amount(amount: Decimal, currency: str) -> str:
    return str(amount.quantize(Decimal(1).scaleb(-exponent(currency))))


def _money(amount: Decimal, currency: str) -> str:
    return f"{_amount(amount, currency)} {currency}"
