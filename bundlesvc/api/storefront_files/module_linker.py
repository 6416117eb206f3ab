"""Links JavaScript modules: a module and all its imports become one file, with a source map.

Each module becomes a function that returns its exports, so names in different modules cannot clash. The linker supports the forms
of imports and exports that this project's modules use, and refuses all others. Circular imports are not supported.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

REGISTRY = "$modules"
"""The object that holds the exports of all linked modules, by module name. Every linked file exports it."""

_IMPORT = re.compile(r'^import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?"(?P<path>\.[^"]+)";', re.MULTILINE)
_REEXPORT = re.compile(r'^export (?P<what>\{[^}]*\}|\* as \w+) from "(?P<path>\.[^"]+)";', re.MULTILINE)
_DECLARATION = re.compile(r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type \{.*?\} \*/ ?")
_NOT_KNOWN = re.compile(r"(?:^(?:import|export)\b|(?<!\{)\bimport[(.]).*", re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./[\w/-]+\.js"\)(?=\.then\()')
"""The import of a module that is loaded on demand, by its address relative to the linked file."""
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class CannotLink(ValueError):
    """Raised for a module with an unsupported form of import or export, or with a circular import."""


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """A line and column in a source file, counted from 0."""

    line: int
    column: int


@dataclass(slots=True)
class Module:
    """A module without its comments and indentation, which only readers of the source need. `positions` maps each line of `code`
    to its position in the source; `exports` maps each exported name to its expression."""

    name: str
    source: str
    code: str = ""
    positions: Sequence[SourcePosition] = ()
    imports: list[str] = field(default_factory=list)
    exports: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = list(_code_lines(self.source))
        self.positions = [position for position, _ in lines]
        code = "\n".join(text for _, text in lines)
        for pattern, replacement in (
            (_REEXPORT, self._reexport),
            (_IMPORT, self._import),
            (_DECLARATION, self._declare),
        ):
            code = pattern.sub(replacement, code)
        # Modules in subfolders must not load others on demand, because their relative paths would be wrong in the linked file.
        known = code if "/" in self.name else _LATER.sub("", code)
        if unknown := _NOT_KNOWN.search(known):
            message = f"{self.name}: this cannot be linked: {unknown[0]}"
            raise CannotLink(message)
        self.code = code

    def _import(self, found: re.Match[str]) -> str:
        module, what = self._imported(found), found["what"]
        if what is None:
            return _in_as_many_lines(found, "")
        names = " ".join(what.removeprefix("* as ").replace(" as ", ": ").split())
        return _in_as_many_lines(found, f"const {names} = {module};")

    def _reexport(self, found: re.Match[str]) -> str:
        module, what = self._imported(found), found["what"]
        if what.startswith("*"):
            self.exports[what.removeprefix("* as ")] = module
        for own, public in re.findall(r"(\w+)(?: as (\w+))?", what) if what.startswith("{") else ():
            self.exports[public or own] = f"{module}.{own}"
        return _in_as_many_lines(found, "")

    def _declare(self, found: re.Match[str]) -> str:
        self.exports[found["name"]] = found["name"]
        return ""

    def _imported(self, found: re.Match[str]) -> str:
        """Record an imported module, and return the expression for its exports."""
        name = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), found["path"]))
        if name not in self.imports:
            self.imports.append(name)
        return registered(name)


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """A file of linked modules, with its source map."""

    code: str
    source_map: str


def registered(name: str) -> str:
    """Return the expression for the exports of a linked module."""
    return f'{REGISTRY}["{name}"]'


def read_modules(entry: str, sources: Mapping[str, str]) -> dict[str, Module]:
    """Read a module and everything that it imports, directly or indirectly. Returns the modules by name, each after its own
    imports."""
    modules: dict[str, Module] = {}

    def add(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            message = f"{name} imports itself: {' -> '.join((*importers, name))}"
            raise CannotLink(message)
        if name not in modules:
            module = Module(name, sources[name])
            for imported in module.imports:
                add(imported, (*importers, name))
            modules[name] = module

    add(entry, ())
    return modules


def link(modules: Sequence[Module], other_file: str | None = None) -> LinkedFile:
    """Link modules into one file that has the exports of the last one. Each module must come after the modules that it imports,
    unless they are in `other_file`."""
    entry = modules[-1]
    registry = f'import {{ {REGISTRY} }} from "{other_file}";' if other_file else f"const {REGISTRY} = {{}};"
    lines: list[tuple[str, tuple[int, SourcePosition] | None]] = [(registry, None), (f"export {{ {REGISTRY} }};", None)]
    for number, module in enumerate(modules):
        code = zip(module.code.split("\n"), module.positions, strict=True)
        lines.append((_opening(module), None))
        lines += [(text, (number, position)) for text, position in code]
        lines.append((_closing(module), None))
    file = posixpath.basename(entry.name)
    lines += [(exported(entry), None), (f"//# sourceMappingURL={file}.map", None)]
    return LinkedFile(
        "\n".join(text for text, _ in lines) + "\n", _source_map(modules, [position for _, position in lines])
    )


def script(modules: Sequence[Module]) -> str:
    """Combine modules into one script, for an engine without imports and exports. The constant `exported` holds the exports of
    the last module."""
    parts = [f"{_opening(module)}\n{module.code}\n{_closing(module)}" for module in modules]
    return "\n".join([f"const {REGISTRY} = {{}};", *parts, f"const exported = {registered(modules[-1].name)};"])


def _opening(module: Module) -> str:
    return f"{registered(module.name)} = (() => {{"


def _closing(module: Module) -> str:
    returned = ", ".join(name if name == value else f"{name}: {value}" for name, value in module.exports.items())
    return f"return {{ {returned} }}; }})();"


def _source_map(modules: Sequence[Module], positions: Sequence[tuple[int, SourcePosition] | None]) -> str:
    """Build the source map of a linked file. `positions` contains the module number and source position of each line, or None for
    a line that belongs to no module."""
    folder, file = posixpath.split(modules[-1].name)
    fields = {
        "version": 3,
        "file": file,
        "sources": [posixpath.relpath(module.name, folder or ".") for module in modules],
        "sourcesContent": [module.source for module in modules],
        "names": [],
        "mappings": _mappings(positions),
    }
    return json.dumps(fields, ensure_ascii=False)


def relative_path(folder: str, path: str) -> str:
    """Return the relative path by which a module in this folder imports another."""
    relative = posixpath.relpath(path, folder or ".")
    return relative if relative.startswith("../") else f"./{relative}"


def exported(module: Module) -> str:
    """Return the statement that exports a linked module's names."""
    return f"export const {{ {', '.join(module.exports)} }} = {registered(module.name)};"


def _code_lines(source: str) -> Iterator[tuple[SourcePosition, str]]:
    """Yield the lines of code without indentation and comments. Only the comment styles used in this project's modules are
    recognised. Type comments within a line of code are removed as well."""
    is_comment = False
    for number, line in enumerate(source.split("\n")):
        text = line.lstrip(" \t")
        ends = text.rstrip().endswith("*/")
        is_comment = is_comment or (text.startswith("/**") and (ends or "*/" not in text))
        if not is_comment and not text.startswith("//"):
            yield SourcePosition(number, len(line) - len(text)), _TYPE.sub("", text)
        is_comment = is_comment and not ends


def _in_as_many_lines(found: re.Match[str], replacement: str) -> str:
    """Pad the replacement of a statement to as many lines as the statement has, so that later lines keep their line numbers."""
    return replacement + "\n" * found[0].count("\n")


def _mappings(positions: Sequence[tuple[int, SourcePosition] | None]) -> str:
    """Encode the `mappings` field of a source map: one mapping per line, each relative to the previous one."""
    lines, before = [], (0, 0, 0)
    for position in positions:
        if position is None:
            lines.append("")
            continue
        now = (position[0], position[1].line, position[1].column)
        steps = (0, *(new - old for new, old in zip(now, before, strict=True)))
        lines.append("".join(map(_vlq, steps)))
        before = now
    return ";".join(lines)


def _vlq(number: int) -> str:
    """Encode a number as a Base64 VLQ, as source maps do: five bits per digit, lowest first, with the sign in the lowest bit."""
    rest, digits = (abs(number) << 1) | (number < 0), ""
    while True:
        rest, digit = rest >> 5, rest & 31
        digits += _BASE64[digit | (32 if rest else 0)]
        if not rest:
            return digits
