"""Actions: those that come too late, those that always hide or block, those that lead to what is hidden or is not there."""

from collections.abc import Iterator

from bundlesvc.domain.conditions import Node
from bundlesvc.shop_file.document import quoted
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, error, remark, warning
from bundlesvc.shop_file.lint.subject import Subject


def check_actions(subject: Subject) -> Iterator[Remark]:
    yield from _check_discounts(subject)
    yield from _check_blocks(subject)
    yield from _check_hiding(subject)
    yield from _check_goto(subject)


def _check_discounts(subject: Subject) -> Iterator[Remark]:
    """The first discount that fires wins, so one that follows from an earlier one never does."""
    earlier: list[Node] = []
    for node in subject.actions("discount"):
        if subject.logic.never(node.get("when")):
            continue  # its condition is told
        winner = next((one for one in earlier if subject.logic.implies(node.get("when"), one.get("when"))), None)
        if winner:
            message = f"The first discount that fires wins, and {quoted(winner['id'])} fires whenever this one does."
            yield warning(Code.DISCOUNT_NEVER_WINS, subject.at_node(node), message)
        earlier.append(node)


def _check_blocks(subject: Subject) -> Iterator[Remark]:
    for node in subject.actions("block-cart"):
        if subject.purchase_logic.always(node.get("when")):
            message = "This action blocks every selection, so that the bundle cannot be bought."
            yield error(Code.ALWAYS_BLOCKED, subject.at_node(node), message)


def _check_hiding(subject: Subject) -> Iterator[Remark]:
    required = {required.product_id for required in subject.bundle.required_products}
    for node in subject.actions("hide-section", "hide-product"):
        whole = node["type"] == "hide-product" and node.get("sectionId") is None
        if _hides_nothing(subject, node):
            message = f"Product {node['productId']} is not offered there, so that there is nothing to hide."
            yield warning(Code.HIDES_NOTHING, subject.at_node(node), message)
        elif subject.logic.always(node.get("when")):
            fatal = whole and int(node["productId"]) in required
            message = f"This action hides {_hidden_name(subject, node)} from every selection"
            message += ", and it is required, so that the bundle cannot be bought." if fatal else "."
            yield remark(ERROR if fatal else WARNING, Code.ALWAYS_HIDDEN, subject.at_node(node), message)


def _hidden_name(subject: Subject, node: Node) -> str:
    return subject.section_name(node["sectionId"]) if node["type"] == "hide-section" else f"product {node['productId']}"


def _hides_nothing(subject: Subject, node: Node) -> bool:
    """Whether the product is not offered where it is to be hidden; of a live platform's free items that is not known."""
    if node["type"] != "hide-product" or (subject.catalogue.live and subject.has_free_items):
        return False
    offered = subject.all_offers.within(node.get("sectionId"))
    return all(choice.product_id != int(node["productId"]) for choice in offered)


def _check_goto(subject: Subject) -> Iterator[Remark]:
    hiding = subject.actions("hide-section")
    for node in subject.actions("goto-section"):
        when = node.get("when")
        hides = (other for other in hiding if other["sectionId"] == node["sectionId"])
        if not subject.logic.never(when) and any(subject.logic.implies(when, other.get("when")) for other in hides):
            message = (
                f"This action leads to {subject.section_name(node['sectionId'])}, which is hidden whenever it fires."
            )
            yield warning(Code.GOTO_HIDDEN_SECTION, subject.at_node(node), message)
