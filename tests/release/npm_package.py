"""The npm package: the modules of `bundlesvc/storefront` unchanged, a single-file build, and the manifest of the custom
element."""

import json
import shutil
from pathlib import Path

from tests.packages.npm import install_packages
from tests.release.source import ROOT, ReleaseError, Source, run

STOREFRONT = Path("bundlesvc", "storefront")
_GUIDE = Path("docs", "web-component.md")
_MANIFEST = Path(__file__).with_name("elements-manifest.mjs")


def pack(source: Source, out: Path) -> None:
    """Write the tarball of the npm package. Raises ReleaseError and PackagesUnavailable."""
    folder = source.folder / STOREFRONT
    about = json.loads((folder / "package.json").read_text("utf-8"))
    _check_version(about["version"], source)
    modules = install_packages()
    shutil.copyfile(source.folder / "LICENSE", folder / "LICENSE")
    manifest = run(["node", str(_MANIFEST), str(folder), str(source.folder / _GUIDE)], ROOT, source.environment)
    (folder / about["customElements"]).write_text(manifest, "utf-8")
    _bundle(source, folder, modules, f"/*! {about['name']} {about['version']} | {about['license']} */")
    run(["npm", "pack", "--ignore-scripts", "--pack-destination", str(out.resolve())], folder, source.environment)


def _check_version(version: str, source: Source) -> None:
    if version != source.version:
        raise ReleaseError(
            f"bundlesvc/storefront/package.json has the version {version}, bundlesvc/__init__.py another. Make them equal."
        )


def _bundle(source: Source, folder: Path, modules: Path, banner: str) -> None:
    """Bundle the component and all of its imports into one file, with a source map."""
    options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--sourcemap", f"--banner:js={banner}"]
    outfile = "--outfile=dist/bundle-builder.min.js"
    esbuild = str(modules / "esbuild" / "bin" / "esbuild")
    run([esbuild, "bundle-builder.js", *options, outfile, "--log-level=warning"], folder, source.environment)
