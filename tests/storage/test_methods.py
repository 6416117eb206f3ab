"""`tests.storage.methods` calls every method of the stores."""

from importlib import import_module
from inspect import isclass, iscoroutinefunction
from pkgutil import iter_modules
from types import ModuleType

from bundlesvc import storage
from bundlesvc.demo import catalogue
from bundlesvc.storage import maintenance, shop_deletion
from tests.storage.methods import ALL_ON_SQLITE, NO_DATABASE_NEEDED


def _storage_modules() -> list[ModuleType]:
    return [import_module(module.name) for module in iter_modules(storage.__path__, f"{storage.__name__}.")]


def test_every_storage_method_is_called() -> None:
    stores = [
        kind
        for module in (*_storage_modules(), catalogue)
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
        for module in (maintenance, shop_deletion)
        for name, function in vars(module).items()
        if iscoroutinefunction(function) and function.__module__ == module.__name__
    }
    assert set(ALL_ON_SQLITE) == (methods | functions) - NO_DATABASE_NEEDED
