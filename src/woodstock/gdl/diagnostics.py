"""What the reader and the checker have to say about a rulesheet, with place and remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Diagnostic", "Severity"]

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `play` are moves that show it, as ``woodstock show --after`` takes them.

    >>> print(Diagnostic("error", "unsafe", "?x is not bound", "bind it", "g.kif", 3, 1))
    g.kif:3:1: ?x is not bound; bind it
    """

    severity: Severity
    code: str
    message: str
    remedy: str
    file: str
    line: int
    column: int
    rule: str = ""
    play: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}; {self.remedy}"

    def to_json(self) -> dict[str, str | int]:
        """The finding as a flat JSON object."""
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "remedy": self.remedy,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "rule": self.rule,
            "play": self.play,
        }
