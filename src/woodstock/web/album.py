"""A recorded match as the positions it went through, for people to look through.

>>> from woodstock.web.recorded import read_records
>>> text = '{"gameMetaURL": "tic-tac-toe", "moves": [["(mark 2 2)", "noop"]]}'
>>> album = Album.of(read_records(text)[0])
>>> len(album.pages), album.pages[1].chosen
(2, {'x': '(mark 2 2)'})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from woodstock.drawing import Board, draw_svg, last_move_board
from woodstock.errors import IllegalMoveError, StateError
from woodstock.game import EngineName, Game, State
from woodstock.gdl.reader import read_text
from woodstock.web.naming import game_of
from woodstock.web.recorded import Recorded, RecordError, read_records
from woodstock.web.rulesheets import Rulesheets

__all__ = ["Album", "Page", "open_record"]


@dataclass(frozen=True)
class Page:
    """A position of a match.

    `made` are the moves that led to it, by role, `chosen` those of roles that had a choice.
    `errors` are what was wrong with them. `values` are what players expected here when they chose
    the next move, from 0 to 1, of those who said it.
    """

    state: State
    made: Mapping[str, str]
    chosen: Mapping[str, str]
    errors: Mapping[str, str]
    values: Mapping[str, float]
    before: State | None = None

    @property
    def board(self) -> Board:
        """The board, with the moves marked that led to it."""
        game = self.state.game
        if self.before is None:
            return Board.find(self.state.fluents, game.possible_fluents, game.drawing)
        return last_move_board(
            self.before.fluents,
            self.state.fluents,
            [game.term(move) for move in self.chosen.values()],
            hints=game.drawing,
            domain=game.possible_fluents,
        )

    def svg(self) -> str:
        """The board as a picture."""
        return draw_svg(self.board)


@dataclass(frozen=True)
class Album:
    """A match to look through: its game, who played, and a page for each position."""

    game: Game
    match: Recorded
    pages: tuple[Page, ...]

    @classmethod
    def of(
        cls, match: Recorded, rules: str | Path | None = None, engine: EngineName = "auto"
    ) -> Album:
        """Play the moves of a record again.

        The rules are those of `rules`, a game or a file, or else the record's own, or those of the
        game of the library that it names. `RecordError` where there are none, or where they do not
        allow what was played.
        """
        game = _game(match, rules, engine)
        state = game.initial_state()
        pages = [Page(state, {}, {}, {}, _values(match, game, 0))]
        for number, joint in enumerate(match.line, start=1):
            turn = state.turn
            try:
                after = state.apply(joint)
            except (IllegalMoveError, StateError) as problem:
                where = f"move {number} of {match.name or 'the match'}"
                raise RecordError(f"{where} is none of {game.name}: {problem}") from None
            made = dict(zip(game.roles, joint))
            wrong = match.errors[number - 1] if number <= len(match.errors) else []
            pages.append(
                Page(
                    after,
                    made,
                    {role: made[role] for role in turn},
                    {role: error for role, error in zip(game.roles, wrong) if error},
                    _values(match, game, number),
                    state,
                )
            )
            state = after
        return cls(game, match, tuple(pages))

    def number(self, ply: int) -> int:
        """The number of a page; those below 0 count from the last. `RecordError` for others.

        >>> from woodstock.web.recorded import read_records
        >>> Album.of(read_records('{"gameMetaURL": "nim", "moves": []}')[0]).number(-1)
        0
        """
        last = len(self.pages) - 1
        number = ply if ply >= 0 else last + 1 + ply
        if not 0 <= number <= last:
            raise RecordError(f"there is no position after {ply} moves; they go from 0 to {last}")
        return number

    @property
    def players(self) -> dict[str, str]:
        """Who played which role, chance left out; the role itself where nobody says it."""
        named = dict(zip(self.match.roles or self.game.roles, self.match.players))
        return {role: named.get(role, "") or "?" for role in self.game.players}

    @property
    def goals(self) -> dict[str, int | None] | None:
        """The goals at the end; None where the match did not come to it."""
        state = self.pages[-1].state
        return {role: state.goal(role) for role in self.game.players} if state.is_terminal else None


def open_record(
    path: str | Path,
    number: int = 1,
    rules: str | Path | None = None,
    engine: EngineName = "auto",
) -> Album:
    """The match of this number in a file, from 1; `RecordError` where there is none."""
    text = Path(path).read_bytes().decode("utf-8", errors="replace")
    try:
        found = read_records(text)
        if not 1 <= number <= len(found):
            raise RecordError(f"there is no match {number}; there are {len(found)}")
        return Album.of(found[number - 1], rules, engine)
    except RecordError as problem:
        raise RecordError(f"{path}: {problem}") from None


def _game(match: Recorded, rules: str | Path | None, engine: EngineName) -> Game:
    if rules is not None:
        return Game.load(rules, engine=engine)
    name = match.game or "game"
    if match.rules and match.drawing:
        sheet = read_text(match.rules, f"{name}.kif")
        return Game(sheet, name=name, engine=engine, drawing=match.drawing)
    known = Rulesheets()
    ref = game_of(match, known, keep=True)
    if ref is None:
        named = f" of {match.game}" if match.game else ""
        raise RecordError(f"nobody knows the rules{named}; name their file with --rules")
    found = known.find(ref)
    if not found.pasted:
        return Game.from_library(found.name, engine=engine)
    return Game(read_text(found.text, f"{name}.kif"), name=name, engine=engine)


def _values(match: Recorded, game: Game, number: int) -> dict[str, float]:
    told = match.values[number] if number < len(match.values) else []
    pairs = zip(game.roles, told)
    return {role: min(1.0, max(0.0, value)) for role, value in pairs if value is not None}
