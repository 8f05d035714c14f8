"""How Sphinx makes the site; ``make docs`` calls it by way of ``tools/documentation.py``."""

from __future__ import annotations

import woodstock

project = "WoodStock"
release = woodstock.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
html_theme = "furo"
html_title = f"WoodStock {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False

# Headings have the anchors that code hosts give them.
myst_heading_anchors = 6

# A report may leave out a level of headings; what a package takes from its modules has two names.
suppress_warnings = ["myst.header", "ref.python"]

# Docstrings write `name` for code.
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "imported-members": True}
