"""The site: README, docs and the API, as pages that need no network.

``python tools/documentation.py build/site`` makes it, and ``make docs`` calls that. The pages are
copied to a folder beside the site, with what only a site needs: navigation, from the lists of
``docs/README.md``; a page for each module that ``docs/api.md`` names; the notebooks as pages.
Sphinx makes HTML of that. Any warning of Sphinx is an error.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from notebooks import to_markdown
from written import write_changed

__all__ = ["api_pages", "main", "navigation", "sources"]

ROOT = Path(__file__).resolve().parents[1]
_PAGES = ("*.md", "docs/**/*.md", "docs/**/*.ipynb", "examples/*.md")
_AS_THEY_ARE = (
    "docs/images/**/*.*",
    "docs/papers.pictures/*",
    "examples/**/*.[!m]*",
    "src/woodstock/games/*/rules.kif",
    "LICENSE",
)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)\)")
_ALL = "\n```{toctree}\n:hidden:\nAll pages <docs/README.md>\n```\n\n"
_TO_START = '<!doctype html>\n<meta http-equiv="refresh" content="0; url=README.html">\n'


def navigation(listed: str) -> str:
    r"""Contents for a site, from the sections of ``docs/README.md`` and their lists of pages.

    >>> print(navigation("## Guides\n\n* [Playing](playing.md): at the [terminal](t.md)\n"))
    ```{toctree}
    :hidden:
    :caption: Guides
    Playing <docs/playing.md>
    Terminal <docs/t.md>
    ```
    <BLANKLINE>
    """
    parts = []
    for section in re.split(r"^## ", listed, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        items = re.findall(r"^\* .*(?:\n  .*)*", text, re.MULTILINE)
        links = [link for item in items for link in _LINK.findall(item)]
        entries = [f"{name[0].upper()}{name[1:]} <{_from_root(page)}>" for name, page in links]
        if entries:
            head = ["```{toctree}", ":hidden:", f":caption: {title}"]
            parts.append("\n".join([*head, *entries, "```"]) + "\n")
    return "\n".join(parts)


def _from_root(page: str) -> str:
    return page[3:] if page.startswith("../") else f"docs/{page}".replace(".ipynb", ".md")


def api_pages(listed: str) -> Mapping[str, str]:
    """A page for each module that ``docs/api.md`` names, and that page with links to them."""
    modules = re.findall(r"^\| [^|]+ \| `([\w.]+)` \|", listed, re.MULTILINE)
    files = {
        f"docs/api/{module}.md": f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n```\n"
        for module in modules
    }
    for module in modules:
        listed = listed.replace(f"| `{module}` |", f"| [`{module}`](api/{module}.md) |")
    contents = "\n".join(f"api/{module}.md" for module in modules)
    files["docs/api.md"] = f"{listed}\n```{{toctree}}\n:hidden:\n{contents}\n```\n"
    return files


def sources() -> Mapping[str, str]:
    """All pages of the site by their path below the root, as Sphinx reads them."""
    files = {}
    for path in (path for pattern in _PAGES for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            name, text = name.replace(".ipynb", ".md"), to_markdown(json.loads(text))
        files[name] = text.replace(".ipynb)", ".md)")
    files["README.md"] += _ALL + navigation((ROOT / "docs" / "README.md").read_text("utf-8"))
    files.update(api_pages(files["docs/api.md"]))
    games = "\n".join(sorted(name[5:] for name in files if name.startswith("docs/games/")))
    files["docs/games.md"] += f"\n```{{toctree}}\n:hidden:\n{games}\n```\n"
    # Sphinx leaves HTML alone: links and pictures of the sheet must be those of the site.
    sheet = files["docs/contact-sheet.md"]
    files["docs/contact-sheet.md"] = re.sub(r'(href="games/[\w-]+)\.md"', r'\1.html"', sheet)
    return files


def stage(folder: Path) -> None:
    """Write everything that the site is made of to a folder; what has not changed stays."""
    files = sources()
    for old in [path for path in folder.rglob("*.md") if path.is_file()]:
        if old.relative_to(folder).as_posix() not in files:
            old.unlink()
    list(write_changed(folder, files, check=False))
    for path in (path for pattern in _AS_THEY_ARE for path in ROOT.glob(pattern)):
        if path.is_file() and "__pycache__" not in path.parts:
            _copy(path, folder / path.relative_to(ROOT))
    for picture in (ROOT / "docs" / "images" / "games").glob("*.svg"):
        _copy(picture, folder / "_extra" / picture.relative_to(ROOT))
    (folder / "_extra" / "index.html").write_text(_TO_START, encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.is_file() or source.read_bytes() != target.read_bytes():
        shutil.copyfile(source, target)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description="Make the site of the documentation.",
        epilog="example: python tools/documentation.py build/site",
    )
    parser.add_argument("folder", type=Path, metavar="SITE", help="where the site goes")
    site = parser.parse_args(arguments).folder
    staged = site.with_name(site.name + "-source")
    stage(staged)
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    command += ["-c", str(ROOT / "docs"), "-D", f"html_extra_path={staged.resolve() / '_extra'}"]
    command += [str(staged), str(site)]
    if subprocess.run(command).returncode:
        return 1
    print(f"The site is in {site}: open {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
