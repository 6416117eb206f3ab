"""Loading a shop file. Nothing is written when nothing changed (docs/contract.md#shop-files)."""

from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.ports import ShopFileStore


async def load(store: ShopFileStore, shop_file: ShopFile) -> bool:
    """Make the stored shop equal to the file. Returns whether anything changed. Raises StorageUnavailable."""
    stored = await store.stored(shop_file.shop.handle)
    if stored is not None and stored.in_order() == shop_file.in_order():
        return False
    await store.replace(shop_file)
    return True
