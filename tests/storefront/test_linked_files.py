"""The linked files, into which the service combines the modules of the client and the component, behave like the source files."""

from typing import Any

import pytest

from bundlesvc.api.storefront_files.module_linker import CannotLink, Module, link, read_modules
from bundlesvc.api.storefront_files.static_files import FOLDER, Version, read_files
from tests.storefront.node import RunScript

CLIENT = "client/client.js"


def link_all(sources: dict[str, str], entry: str = "a.js") -> str:
    return link(list(read_modules(entry, sources).values())).code


@pytest.fixture(scope="module")
def found(run_script: RunScript, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The results of a Node script that imports the files as the service serves them."""
    folder, version = tmp_path_factory.mktemp("served"), Version(read_files(FOLDER))
    served = {name: file.body for name, file in version.short_lived.items()}
    served |= {f"{version.digest}/{name}": file.body for name, file in version.immutable.items()}
    for name, body in {**served, "package.json": b'{"type": "module"}'}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return run_script("linked-files.mjs", {"folder": str(folder), "digest": version.digest})


def test_linked_client_exports_what_its_source_does(found: Any) -> None:
    assert found["exports"] == found["expected"]
    assert set(found["modules"]) >= {f"client/{path.name}" for path in (FOLDER / "client").glob("*.js")}
    assert found["sum"] == "0.30"


def test_both_addresses_have_the_same_instances(found: Any) -> None:
    """Both addresses of the client export the same functions and classes, so `error instanceof ServiceError` holds whichever
    address a page uses to import the client."""
    assert found["sameInstances"]
    assert found["sameParts"]
    assert found["sameError"]


def test_source_maps_lead_to_the_sources(found: Any) -> None:
    for mapped in found["mapped"]:
        assert mapped["count"] > 50
        assert mapped["wrong"] == []


def test_linked_modules_have_no_comments_and_indentation() -> None:
    code = link_all({"a.js": "/** A word. */\n// Another.\nexport function a() {\n  return 1; // one\n}\n"})

    assert "function a() {\nreturn 1; // one\n}" in code
    assert "word" not in code
    assert "Another" not in code


def test_types_within_a_line_take_no_bytes() -> None:
    code = link_all({"a.js": "export const a = (/** @type {{ b: string }} */ { b }) => /** @type {number} */ (b);\n"})

    assert "const a = ({ b }) => (b);" in code


def test_module_comes_after_those_that_it_imports() -> None:
    sources = {
        "a.js": 'import { b } from "./part/b.js";\nimport * as all from "./c.js";\nexport const a = b;',
        "part/b.js": 'export * as c from "../c.js";\nexport { c as b } from "../c.js";',
        "c.js": "export const c = 1;",
    }

    assert list(read_modules("a.js", sources)) == ["c.js", "part/b.js", "a.js"]


def test_import_in_several_lines_is_linked() -> None:
    code = link_all(
        {"a.js": 'import {\n  b,\n  c as d,\n} from "./b.js";\n', "b.js": "export const b = 1;\nexport const c = 2;\n"}
    )

    assert 'const { b, c: d, } = $modules["b.js"];' in code


def test_exports_of_another_module_are_linked() -> None:
    sources = {
        "a.js": 'export {\n  b,\n  c as d,\n} from "./b.js";\nexport * as all from "./b.js";\n',
        "b.js": "export const b = 1;\nexport async function c() {}\n",
    }

    exported = {"b": '$modules["b.js"].b', "d": '$modules["b.js"].c', "all": '$modules["b.js"]'}
    assert read_modules("a.js", sources)["a.js"].exports == exported
    assert link_all(sources).count('export const { b, d, all } = $modules["a.js"];') == 1


@pytest.mark.parametrize(
    "statement",
    [
        "export default 1;",
        "export let a = 1;",
        'export * from "./b.js";',
        'import b from "./b.js";',
        'import { b } from "package";',
        'const b = await import("./b.js");',
        "const here = import.meta.url;",
    ],
)
def test_unknown_statement_is_refused(statement: str) -> None:
    with pytest.raises(CannotLink, match=r"a\.js: this cannot be linked"):
        Module("a.js", f"{statement}\n")


def test_circular_imports_are_refused() -> None:
    sources = {"a.js": 'import "./b.js";', "b.js": 'import "./a.js";'}

    with pytest.raises(CannotLink, match=r"a\.js -> b\.js -> a\.js"):
        read_modules("a.js", sources)
