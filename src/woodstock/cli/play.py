"""``woodstock play``: a person at the terminal against players."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich.console import Console

from woodstock.belief import ObservationHistory
from woodstock.cli.board import print_belief, print_goals, print_moves, print_state
from woodstock.cli.decision import decision_table
from woodstock.cli.guard import UsageError
from woodstock.cli.log import LogOption, player_log
from woodstock.cli.options import EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working
from woodstock.cli.values import CacheOption, ValuesOption, check_values
from woodstock.errors import IllegalMoveError
from woodstock.game import Game
from woodstock.gdl.terms import Term
from woodstock.match import Session, find_move, split_names
from woodstock.player import Player, make_player, player_names
from woodstock.tune import Rehearsals

__all__ = ["command"]

_LISTED = 60
"""Moves that are listed without being asked for."""
_HINTS = 5

HELP = """\
Make a move by its number, by its text, or by as much of it as is clear. Or say
  moves [TEXT]  to list the legal moves, all or those with TEXT in them
  board         to draw the position again
  hint          to hear what the player would do in your place, and why
  undo          to take your last move back, and what followed on it
  quit          to leave
  ?             to read this again"""


def command(
    game: GameArgument,
    role: Annotated[
        str | None,
        typer.Option("--as", metavar="ROLE", help="Your role; the first one by default."),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="PLAYER",
            help=f"Who plays the other roles: {', '.join(player_names())}; one for all, or one "
            "for each, separated by commas.",
        ),
    ] = "woodstock",
    play_clock: Annotated[
        float, typer.Option(min=0.01, help="Seconds that the others have for a move.")
    ] = 2.0,
    start_clock: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Seconds that they have to get ready: woodstock learns in them. By default as "
            "many as for a move.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Decides what chance does.", show_default=False)
    ] = None,
    values: ValuesOption = "auto",
    cache: CacheOption = True,
    log: LogOption = False,
    engine: EngineOption = EngineChoice.AUTO,
) -> None:
    """Play a game at the terminal. '?' tells what can be said there."""
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
    roles = loaded.players
    if role is not None and role not in roles:
        raise UsageError(f"no role {role!r} in {loaded.name}; there are {', '.join(roles)}")
    mine = role or roles[0]
    names = _names(loaded, mine, split_names(against))
    check_values(loaded, against)
    shared = Rehearsals.of_text(values, cache=cache, game=loaded)
    players = {
        other: make_player(name, seed + i, rehearsals=shared)
        for i, (other, name) in enumerate(names.items())
    }
    session = Session(loaded, mine, players, seed=seed, play_clock=play_clock)
    console = Console(highlight=False)
    with player_log(log):
        with Working("The others get ready"):
            session.prepare(play_clock if start_clock is None else start_clock)
        adviser = make_player(split_names(against)[0], seed, rehearsals=shared)
        _Desk(console, session, names, adviser, play_clock).run()


def _names(game: Game, mine: str, given: list[str]) -> dict[str, str]:
    """Who plays which of the other roles."""
    others = [role for role in game.players if role != mine]
    if len(given) == 1:
        given = given * len(others)
    if len(given) != len(others):
        needed = f"one player for all or {len(others)} ({', '.join(others)})"
        raise UsageError(f"--against takes {needed}, not {len(given)}")
    return dict(zip(others, given, strict=True))


class _QuitError(Exception):
    pass


class _Desk:
    """What is shown to the person, and what is understood of what they type.

    Nothing is shown that their role may not see, before the game is over.
    """

    def __init__(
        self,
        console: Console,
        session: Session,
        names: dict[str, str],
        adviser: Player,
        play_clock: float,
    ) -> None:
        self._console = console
        self._session = session
        self._names = names
        self._play_clock = play_clock
        self._adviser = adviser
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._list,
            "board": lambda _: self._draw(),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "quit": lambda _: self._quit(),
            "exit": lambda _: self._quit(),
            "?": lambda _: self._help(),
            "help": lambda _: self._help(),
        }

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self._welcome()
        self._draw()
        try:
            while not self._session.state.is_terminal:
                legal = self._session.legal
                if len(legal) == 1:
                    self._play(legal[0])
                    continue
                self._list()
                before = self._session.state
                while self._session.state is before:
                    self._understand(self._read())
        except _QuitError:
            self._say("Good bye.")
            return
        if self._history is not None:
            self._reveal()
        print_goals(self._console, self._session.state)

    @property
    def _history(self) -> ObservationHistory | None:
        """What the person has seen, if that is not everything."""
        situation = self._session.situation
        return situation if isinstance(situation, ObservationHistory) else None

    def _welcome(self) -> None:
        session = self._session
        others = ", ".join(f"{role} is {name}" for role, name in self._names.items())
        self._say(f"{session.game.name}: you are {session.role}. {others}", style="bold")
        for note in session.game.notes:
            self._say(f"Note: {note}", style="yellow")
        if self._history is not None:
            self._say("Note: you do not see everything; ? is what you cannot know.", style="yellow")
        self._say("'?' tells what you can say.", style="dim")

    def _read(self) -> str:
        try:
            return input(f"{self._session.role}> ").strip()
        except EOFError:
            self._console.print()
            raise _QuitError from None

    def _understand(self, text: str) -> None:
        """Do what was typed; whatever it was, the game goes on."""
        if not text:
            return
        legal = self._session.legal
        word, _, rest = text.partition(" ")
        exact = text.lower() in (str(move).lower() for move in legal)
        if word.lower() in self._commands and not exact:
            self._commands[word.lower()](rest.strip())
            return
        try:
            move = find_move(legal, text)
        except IllegalMoveError as problem:
            self._say(f"{problem}. '?' helps.", style="red")
            return
        self._play(move)

    def _play(self, move: Term) -> None:
        session = self._session
        with Working("The others think"):
            step = session.play(move)
        self._console.print()
        hidden = self._history is not None
        shown = {session.role: move} if hidden else dict(zip(session.state.roles, step.moves))
        print_moves(self._console, len(session.moves), tuple(shown), tuple(shown.values()))
        for role, error in zip(session.state.roles, step.errors, strict=True):
            if error:
                # What the others tried to do is nobody's business either.
                self._say(f"     {role}: {error.split()[0] if hidden else error}", style="red")
        seen = session.state.percepts(session.role)
        if seen or hidden:
            self._say(f"you perceive {', '.join(map(str, seen)) or 'nothing'}")
        if not (hidden and session.state.is_terminal):
            self._draw()

    def _draw(self) -> None:
        self._console.print()
        history = self._history
        if history is None:
            print_state(self._console, self._session.state)
            return
        with Working("Working out what may be"):
            belief = history.belief(time.monotonic() + self._play_clock).going_on()
        print_belief(self._console, belief)
        if history.surprised:
            self._say("Nothing that was followed fits what you saw: this is a guess.", style="red")

    def _reveal(self) -> None:
        """What really happened."""
        session = self._session
        self._say("\nWhat was hidden from you:", style="bold")
        for number, moves in enumerate(session.moves, start=1):
            print_moves(self._console, number, session.state.roles, moves)
        self._console.print()
        print_state(self._console, session.state)

    def _list(self, part: str = "") -> None:
        legal = self._session.legal
        # Where moves are numbers, numbers in front of them would only confuse.
        numbered = not any(str(move).isdecimal() for move in legal)
        texts = [
            f"{number:>3} {move}" if numbered else str(move)
            for number, move in enumerate(legal, start=1)
            if part.lower() in str(move).lower()
        ]
        if not texts:
            self._say(f"no legal move has {part!r} in it", style="red")
            return
        shown = texts if part or len(texts) <= _LISTED else texts[:_LISTED]
        self._console.print()
        self._say(_in_columns(shown, self._console.width))
        if len(shown) < len(texts):
            self._say(
                f"... {len(texts):,} in all; 'moves TEXT' lists those with TEXT in them",
                style="dim",
            )

    def _hint(self) -> None:
        session = self._session
        with Working("Thinking"):
            move = self._adviser.choose(
                session.situation, session.role, time.monotonic() + self._play_clock
            )
        found = self._adviser.last_decision
        if found is None:
            self._say(f"{move}, perhaps")
        else:
            width = self._console.width
            self._console.print(decision_table(found, session.state.roles, width, _HINTS))

    def _undo(self) -> None:
        if not self._session.undo():
            self._say("there is nothing to take back", style="red")
            return
        self._draw()

    def _help(self) -> None:
        self._say(HELP)

    def _quit(self) -> None:
        raise _QuitError

    def _say(self, text: str, style: str | None = None) -> None:
        self._console.print(text, markup=False, soft_wrap=True, style=style)


def _in_columns(texts: Sequence[str], width: int) -> str:
    """Texts in as many columns as fit, read downwards.

    >>> print(_in_columns(["1 a", "2 bb", "3 c", "4 d", "5 e"], width=16))
    1 a    4 d
    2 bb   5 e
    3 c
    """
    cell = max(map(len, texts), default=0) + 3
    columns = max(1, (width + 2) // cell)
    rows = -(-len(texts) // columns)
    lines = ("".join(f"{text:<{cell}}" for text in texts[row::rows]) for row in range(rows))
    return "\n".join(line.rstrip() for line in lines)
