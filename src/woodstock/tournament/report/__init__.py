"""Reports: standings, cross tables, games, curves, thoughts, mistakes and replays on one page.

`build` makes the parts of a page, `html` and `markdown` write it; `blocks` are the parts.
"""
