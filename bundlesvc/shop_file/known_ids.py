"""The products and sections of a shop file, which its other parts refer to by id."""

from collections.abc import Iterator
from dataclasses import dataclass

from bundlesvc.domain.shop import LIVE_PLATFORMS
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.tree import TreeFault
from bundlesvc.shop_file.tree_nodes import TreeNode, read_text


@dataclass(frozen=True, slots=True)
class KnownProducts:
    """The products of a file, and the product of every variant, by id.

    The products of a live platform are not in the file. In that case `complete` is False, and no product is reported as missing.
    """

    complete: bool
    products: frozenset[int]
    owners: dict[int, int | None]

    def missing_product(self, node: TreeNode) -> Iterator[TreeFault]:
        """Report a fault if no product has the id at this node."""
        return self._missing_product(node, node.read(scalars.product_id))

    def missing_product_key(self, key: str, node: TreeNode) -> Iterator[TreeFault]:
        """Report a fault if the key of this node is not the id of any product."""
        return self._missing_product(node, read_text(key, scalars.product_id))

    def missing_variant(self, node: TreeNode, product_id: int | None = None) -> Iterator[TreeFault]:
        """Report a fault if no variant has the id at this node, or if the variant belongs to a product other than
        `product_id`."""
        return self._missing_variant(node, node.read(scalars.variant_id), product_id)

    def missing_variant_key(self, key: str, node: TreeNode) -> Iterator[TreeFault]:
        """Report a fault if no variant has the id that is the key of this node."""
        return self._missing_variant(node, read_text(key, scalars.variant_id), None)

    def _missing_product(self, node: TreeNode, product_id: int | None) -> Iterator[TreeFault]:
        if self.complete and product_id is not None and product_id not in self.products:
            yield node.fault(f"There is no product {product_id} in this file.")

    def _missing_variant(self, node: TreeNode, variant_id: int | None, product_id: int | None) -> Iterator[TreeFault]:
        if not self.complete or variant_id is None:
            return
        if variant_id not in self.owners:
            yield node.fault(f"There is no variant {variant_id} in this file.")
        elif product_id in self.products and self.owners[variant_id] not in (product_id, None):
            yield node.fault(
                f"Variant {variant_id} belongs to product {self.owners[variant_id]}, not to product {product_id}."
            )


def known_products(top: TreeNode) -> KnownProducts:
    """Collect the products of a file, given the root node of its tree."""
    products: set[int] = set()
    owners: dict[int, int | None] = {}
    for product in top.items("products"):
        product_id = product.at("id").read(scalars.product_id)
        if product_id is not None:
            products.add(product_id)
        for variant in product.items("variants"):
            variant_id = variant.at("id").read(scalars.variant_id)
            if variant_id is not None:
                owners.setdefault(variant_id, product_id)
    return KnownProducts(not is_live(top), frozenset(products), owners)


def is_live(top: TreeNode) -> bool:
    """Whether the shop's products come from a live platform."""
    return top.at("shop").at("platform").at("kind").value in LIVE_PLATFORMS


@dataclass(frozen=True, slots=True)
class KnownSections:
    """The sections of a bundle, by id."""

    ids: frozenset[int | None]

    def missing(self, node: TreeNode) -> Iterator[TreeFault]:
        """Report a fault if no section has the id at this node."""
        return self._missing(node, node.read(scalars.number_id))

    def missing_key(self, key: str, node: TreeNode) -> Iterator[TreeFault]:
        """Report a fault if no section has the id `key`, which is the key of this node."""
        return self._missing(node, read_text(key, scalars.number_id))

    def _missing(self, node: TreeNode, section_id: int | None) -> Iterator[TreeFault]:
        if section_id is not None and section_id not in self.ids:
            yield node.fault(f"This bundle has no section {section_id}.")


def known_sections(bundle: TreeNode) -> KnownSections:
    return KnownSections(frozenset(section.at("id").read(scalars.number_id) for section in bundle.items("sections")))
