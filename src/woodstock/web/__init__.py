"""The page: play, watch and analyse any game in the browser (``woodstock web``).

A map of the room, from the outside in:

* `woodstock.web.app`: the application and its routes; `woodstock.web.security`: who may do what.
* `woodstock.web.tables`: a match on the page, `woodstock.web.journal`: its file.
* `woodstock.web.records`, `woodstock.web.watching`: matches that were played elsewhere.
* `woodstock.web.album`: one of them as positions, `woodstock.web.match_page`: as one HTML file.
* `woodstock.web.crew`: the processes that evaluate rules; the server itself never does.
* `woodstock.web.services`: what these processes can be asked.
* ``static/``: what runs in the browser.

It needs the extra ``web``: Starlette and uvicorn.
"""

from __future__ import annotations

from woodstock.web.options import PageLimits, WebOptions

__all__ = ["PageLimits", "WebOptions"]
