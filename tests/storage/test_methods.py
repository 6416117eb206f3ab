"""`tests.storage.methods` calls every method of the stores."""

from importlib import import_module
from inspect import isclass, iscoroutinefunction
from pkgutil import walk_packages
from types import ModuleType

from bundlesvc import storage
from bundlesvc.demo import catalogue
from bundlesvc.platforms.embedded import platform
from bundlesvc.storage.catalogue import shop_deletion
from bundlesvc.storage.maintenance import housekeeping
from tests.storage.methods import ALL_ON_SQLITE, NO_DATABASE_NEEDED


def _storage_modules() -> list[ModuleType]:
    found = walk_packages(storage.__path__, f"{storage.__name__}.")
    return [import_module(module.name) for module in found if ".migrations" not in module.name]


def test_every_storage_method_is_called() -> None:
    stores = [
        kind
        for module in (*_storage_modules(), platform, catalogue)
        for kind in vars(module).values()
        if isclass(kind) and kind.__module__ == module.__name__ and not kind.__name__.endswith("Database")
        if kind.__name__.startswith(("Sql", "Embedded"))
    ]
    assert len(stores) >= 9
    methods = {
        f"{store.__name__}.{name}"
        for store in stores
        for name, method in vars(store).items()
        if iscoroutinefunction(method) and not name.startswith("_")
    }
    functions = {
        name
        for module in (housekeeping, shop_deletion)
        for name, function in vars(module).items()
        if iscoroutinefunction(function) and function.__module__ == module.__name__
    }
    assert set(ALL_ON_SQLITE) == (methods | functions) - NO_DATABASE_NEEDED
