"""What a bundle must have to be bought at all: a product of its own, something to choose, an option to subscribe to, answers."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import DISABLED, NATIVE
from bundlesvc.domain.shop import SUBSCRIPTIONS
from bundlesvc.domain.subscription import requires_subscription
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, error, remark
from bundlesvc.shop_file.lint.subject import Subject


def check_buying(subject: Subject) -> Iterator[Remark]:
    if subject.bundle.published:  # a draft may be unfinished
        yield from _check_finished(subject)
    yield from _check_subscription(subject)
    yield from _check_personalisation(subject)


def _check_finished(subject: Subject) -> Iterator[Remark]:
    bundle = subject.bundle
    if bundle.product_id is None:
        message = "The bundle has no product on the platform, so that no cart can hold it."
        yield error(Code.BUNDLE_WITHOUT_PRODUCT, subject.path, message)
    elif bundle.type == NATIVE and bundle.parent_variant_id is None:
        message = "The bundle is native and has no parent variant, so that no cart can hold it."
        yield error(Code.BUNDLE_WITHOUT_PRODUCT, subject.path, message)
    if not subject.all_offers.within(None):
        message = "The bundle offers nothing: no section has a product, and none is required."
        yield error(Code.NOTHING_OFFERED, subject.path, message)


def _check_subscription(subject: Subject) -> Iterator[Remark]:
    program, shop = subject.bundle.subscription, subject.shop
    if program.mode == DISABLED or not shop.has(SUBSCRIPTIONS) or any(group.options for group in program.groups):
        return
    impossible = requires_subscription(shop, subject.bundle)
    message = "There is no option to subscribe to"
    message += ", and it can be bought by subscription only." if impossible else ", so that it is sold once only."
    yield remark(
        ERROR if impossible else WARNING, Code.SUBSCRIPTION_WITHOUT_OPTIONS, subject.at("subscription"), message
    )


def _check_personalisation(subject: Subject) -> Iterator[Remark]:
    required = {required.product_id for required in subject.bundle.required_products}
    for product_id, place in subject.unanswerable.items():
        message = f"An answer is required, and there is none to choose, so that nobody can buy product {product_id}"
        message += ", which is required." if product_id in required else "."
        severity = ERROR if product_id in required else WARNING
        path = subject.at("personalisation", str(product_id), place)
        yield remark(severity, Code.FIELD_WITHOUT_OPTIONS, path, message)
