"""The building blocks of the shop file's schemas: a base schema, and four fields that read a tree of strings (`tree.Tree`).

A null counts as absent, except where a field allows it; a key that a schema does not define is a fault.
"""

import difflib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeVar

from marshmallow import EXCLUDE, Schema, ValidationError, fields, missing, post_load, pre_load, validates_schema

from bundlesvc.shop_file.scalars import Reader, Unfit
from bundlesvc.shop_file.tree import TreeFault, TreePath, quoted

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

_OTHERWISE = {"product_id": "platformProductId"}

_LONGEST_KEY = 60
MISSING = "This is required."
_MESSAGES: dict[str, Any] = {"required": MISSING, "null": "This cannot be null; give a value or remove it."}
_NO_MAPPING = "This must be a mapping of keys to values; in YAML, write a space after each colon."
NO_LIST = "This must be a list."


def wire_name(field: str) -> str:
    """Return the key of a domain field in the file and on the wire: `parent_variant_id` becomes `parentVariantId`."""
    if field in _OTHERWISE:
        return _OTHERWISE[field]
    first, *others = field.split("_")
    return first + "".join(word.capitalize() for word in others)


class FileSchema(Schema):
    """The schema of one kind of mapping. Loading a mapping creates a domain object with `makes`, or a dict if `makes` is None.

    Fields have the names used in the domain; their keys in the file are `wire_name`s.
    """

    class Meta:
        unknown = EXCLUDE  # unknown keys are refused below, with a suggestion

    makes: ClassVar[Callable[..., Any] | None] = None
    refuses_unknown_keys: ClassVar[bool] = True
    given_by_position: ClassVar[frozenset[str]] = frozenset()
    """Required keys that a file may leave out, because the position of the mapping in its list determines their value."""

    def __init__(self) -> None:
        super().__init__()
        self.error_messages["type"] = _NO_MAPPING

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        field_obj.data_key = field_obj.data_key or wire_name(field_name)

    def load(self, data: Any, **options: Any) -> Any:
        """Load a mapping as marshmallow does. A mapping with neither faults nor nulls is loaded much faster, because no hooks are
        called."""
        values = self._values(data)
        return super().load(data, **options) if values is None else self._make(values)

    def _values(self, data: Any) -> dict[str, Any] | None:
        """Read the fields of a mapping. Returns None when the mapping contains a fault, a null or an unknown key."""
        if not isinstance(data, dict):
            return None
        written, values, used = self.prepared(data), {}, 0
        try:
            for name, field in self.fields.items():
                value = written.get(str(field.data_key))
                if value is not None:
                    values[name] = field.deserialize(value)
                    used += 1
                elif field.required:
                    return None
                elif field.load_default is not missing:
                    values[name] = field.load_default() if callable(field.load_default) else field.load_default
        except ValidationError:
            return None
        return values if used == len(written) else None

    def prepared(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Prepare the mapping for loading. Subclasses override this to set defaults that a field cannot provide."""
        return raw

    @pre_load
    def _drop_nulls(self, data: Any, **_: Any) -> Any:
        if not isinstance(data, dict):
            return data
        if None in data.values():
            nullable = {field.data_key for field in self.fields.values() if field.allow_none}
            data = {key: value for key, value in data.items() if value is not None or key in nullable}
        return self.prepared(data)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _refuse_unknown(self, _: Any, original_data: Any, **__: Any) -> None:
        if self.refuses_unknown_keys and isinstance(original_data, dict):
            unknown = [key for key in original_data if key not in self._known]
            faults = {key: [unknown_key(key, self._known)] for key in unknown}
            if faults:
                raise ValidationError(faults)

    @cached_property
    def _known(self) -> Mapping[str, None]:
        return dict.fromkeys(str(field.data_key) for field in self.fields.values())

    @post_load
    def _make(self, data: dict[str, Any], **_: Any) -> Any:
        make = type(self).makes
        return data if make is None else make(**data)


def unknown_key(key: str, known: Iterable[str], kind: str = "key") -> str:
    """Write the message about an unknown key or column, with a suggestion if there is a similar one."""
    likely = difflib.get_close_matches(key[:_LONGEST_KEY], list(known), n=1)
    return f"Unknown {kind} {quoted(key)}." + (f" Did you mean '{likely[0]}'?" if likely else "")


class _Part(fields.Field[T]):
    """A field with the service's own messages for missing values."""

    def __init__(self, **options: Any) -> None:
        super().__init__(error_messages=_MESSAGES, **options)

    def _validate(self, value: Any) -> None:
        """Validate a value. Most fields have no validators, so skipping the call saves time."""
        if self.validators:
            super()._validate(value)


class Scalar(_Part[T]):
    """A field for a single value, which `read` converts."""

    def __init__(self, read: Reader[T], **options: Any) -> None:
        super().__init__(**options)
        self.read = read

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> T:
        if not isinstance(value, str):
            raise ValidationError("This must be a single value, not a list or mapping.")
        try:
            return self.read(value)
        except Unfit as reason:
            raise ValidationError(str(reason)) from reason


class Item(_Part[Any]):
    """A field for a mapping with its own schema. Where null is allowed, an empty mapping counts as null."""

    def __init__(self, schema: Schema, **options: Any) -> None:
        super().__init__(**options)
        self.item_schema = schema

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if value == {} and self.allow_none:
            return None
        return self.item_schema.load(value)


class Items(_Part[Any]):
    """A field for a list of values of one kind, collected by `gather`; an absent list counts as empty."""

    def __init__(
        self, inner: fields.Field[Any], gather: Callable[[Iterable[Any]], Any] = tuple, **options: Any
    ) -> None:
        super().__init__(**({"load_default": lambda: gather(())} | options))
        self.inner = inner
        self._gather = gather

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, list):
            raise ValidationError(NO_LIST)
        return self._gather(_deserialized(self.inner, enumerate(value)).values())


class KeyedMapping(_Part[dict[Any, Any]]):
    """A field for a mapping keyed by product id, language or section id. Both keys and values are converted. Null values count as
    absent."""

    def __init__(self, read_key: Reader[Any], inner: fields.Field[Any], **options: Any) -> None:
        super().__init__(**({"load_default": dict} | options))
        self.read_key = read_key
        self.inner = inner

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise ValidationError(_NO_MAPPING)
        present = {key: inner for key, inner in value.items() if inner is not None}
        faults: dict[Any, list[Any]] = {}
        keys = self._keys(present, faults)
        loaded = _deserialized(self.inner, present.items(), faults)
        return {keys[key]: inner for key, inner in loaded.items()}

    def _keys(self, written: Iterable[str], faults: dict[Any, list[Any]]) -> dict[str, Any]:
        """Convert the keys of a mapping. Returns a mapping from each key as written to the converted key. Adds a fault to
        `faults` for each key that cannot be converted."""
        keys: dict[str, Any] = {}
        taken: set[Any] = set()
        for key in written:
            try:
                keys[key] = self.read_key(key)
            except Unfit as reason:
                faults[key] = [str(reason)]
            else:
                if keys[key] in taken:
                    faults[key] = [f"The key {quoted(str(keys[key]))} is here already; remove one of the two."]
                taken.add(keys[key])
        return keys


def _deserialized(
    inner: fields.Field[Any], items: Iterable[tuple[H, Any]], faults: dict[Any, list[Any]] | None = None
) -> dict[H, Any]:
    """Deserialise the items, by key or index. If any item is invalid, raises ValidationError with the faults of all items and
    those already in `faults`."""
    loaded: dict[H, Any] = {}
    faults = {} if faults is None else faults
    for key, value in items:
        try:
            loaded[key] = inner.deserialize(value)
        except ValidationError as fault:
            faults.setdefault(key, []).append(fault.messages)
    if faults:
        raise ValidationError(faults)
    return loaded


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """Return the items without repetitions, in order."""
    return tuple(dict.fromkeys(items))


def shared(items: Iterable[H]) -> tuple[H, ...]:
    """Return the items in order, as a tuple. Equal sequences in one shop file share one tuple, which saves memory: many
    variants have the same option values."""
    return _first_equal(tuple(items))


@lru_cache(maxsize=4096)
def _first_equal(items: tuple[H, ...]) -> tuple[H, ...]:
    return items


def faults_of(messages: Any, path: TreePath) -> Iterator[TreeFault]:
    """Convert marshmallow's nested messages to faults, each with its full path."""
    if isinstance(messages, Mapping):
        for step, inner in messages.items():
            yield from faults_of(inner, path if step == "_schema" else (*path, step))
    elif isinstance(messages, list):
        for inner in messages:
            yield from faults_of(inner, path)
    else:
        yield TreeFault(path, str(messages))
