"""Help in people's words, for all commands: what a value is, and nothing cut off.

Typer writes ``<float range>`` and ``x>=0`` where a person would say *seconds* and *0 or more*.
"""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

__all__ = ["PlainCommand", "PlainGroup", "plain_record"]

_NUMBER = r"(?:<(?:int|float)(?: range)?>|(?:INTEGER|FLOAT)(?: RANGE)?)"
_KINDS = {
    r"<list\[str\]>": "TEXT",
    r"<list\[path\]>|<path>|<file>|<directory>": "PATH",
    r"<str>": "TEXT",
    r"[<\[]((?:[\w/.-]+\|)+[\w/.-]+)[>\]]": r"\1",
}
_UNITS = ("seconds", "megabytes")
_END = r"-?[\d.]+(?:e[-+]?\d+)?"
_RANGES = {
    r"(; )?\bx>=[01](?:\.0)?(?=[;\]])": "",  # that goes without saying
    rf"\b({_END})<=x<=({_END})": r"\1 to \2",
    rf"\bx>=({_END})": r"\1 or more",
    rf"\bx<=({_END})": r"\1 or less",
    rf"\bx>({_END})": r"more than \1",
    r"default: \(([^()]*)\)": r"default: \1",
    r"default: (-?\d+)\.0\b": r"default: \1",
    r"\[; ": "[",
    r"\s*\[\]$": "",
}


def plain_record(name: str, help_text: str) -> tuple[str, str]:
    """An option or argument and its help, as Typer writes them, in other words.

    >>> plain_record("--play-clock <float range>", "Seconds for a move.  [default: 1.0; x>=0.01]")
    ('--play-clock SECONDS', 'Seconds for a move.  [default: 1; 0.01 or more]')
    >>> plain_record("--games <int range>", "So many.  [x>=1]")
    ('--games NUMBER', 'So many.')
    >>> plain_record("GAME <str>", "A game of the library.  [required]")
    ('GAME', 'A game of the library.')
    >>> plain_record("--engine <auto|lifted>", "Who plays.")
    ('--engine auto|lifted', 'Who plays.')
    """
    option = name.startswith("-")
    if not option:
        # An argument has its name, and that it is required is to be seen above.
        name = name.partition(" <")[0]
        help_text = re.sub(r"\s*\[required\]$|; required(?=\]$)", "", help_text)
    first = next((word for word in help_text.lower().split()[:2] if word in _UNITS), "number")
    name = re.sub(_NUMBER, first.upper(), name)
    for pattern, words in _KINDS.items():
        name = re.sub(pattern, words, name)
    for pattern, words in _RANGES.items():
        help_text = re.sub(pattern, words, help_text)
    return name, help_text


class _Plain:
    """What commands and groups of commands share."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The line of usage: a name in braces is a name."""
        pieces = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [re.sub(r"^\{(.*)\}", r"\1", piece) for piece in pieces]

    def _write_parameters(self, ctx: Any, formatter: Any) -> None:
        parts: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):  # type: ignore[attr-defined]
            record = param.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if param.param_type_name == "argument" else "Options"
                parts[kind].append(plain_record(*record))
        for title, rows in parts.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=30 if formatter.width >= 70 else 22)


class PlainCommand(_Plain, TyperCommand):
    """A command whose help is in people's words."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        self._write_parameters(ctx, formatter)


class PlainGroup(_Plain, TyperGroup):
    """Commands under one name, each with its first sentence, however long it is."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write options and commands."""
        self._write_parameters(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands; sentences that are too long are wrapped, not cut."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(10_000)))
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
