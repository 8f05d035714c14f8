"""The services of the page, by name; each is imported when it is first asked for.

They run in processes of the `woodstock.web.crew.Crew`, never in the server.

>>> find_service("table").__name__
'table'
>>> find_service("teapot")
Traceback (most recent call last):
...
woodstock.web.services.contract.ServiceError: there is no service 'teapot'
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from woodstock.web.services.contract import Service, ServiceError

__all__ = ["SERVICES", "find_service"]

SERVICES: Mapping[str, str] = MappingProxyType(
    {
        "analyse": "woodstock.web.services.analysis:analyse",
        "check": "woodstock.web.services.check:check",
        "choose": "woodstock.web.services.choose:choose",
        "inside": "woodstock.web.services.inside:inside",
        "plan": "woodstock.web.services.analysis:plan",
        "playtest": "woodstock.web.services.check:playtest",
        "position": "woodstock.web.services.position:position",
        "record": "woodstock.web.services.table:record",
        "table": "woodstock.web.services.table:table",
    }
)
"""Where each service is: a module and a function of it."""

_found: dict[str, Service] = {}


def find_service(name: str) -> Service:
    """The service of this name; `ServiceError` where there is none."""
    if name not in _found:
        if name not in SERVICES:
            raise ServiceError(f"there is no service {name!r}")
        module, _, function = SERVICES[name].partition(":")
        _found[name] = getattr(import_module(module), function)
    return _found[name]
