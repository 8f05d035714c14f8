"""A person at the board: what they are shown, and what is understood of what they type."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import typer
from rich.console import Console

from woodstock.belief import ObservationHistory
from woodstock.cli.board import print_belief, print_goals, print_moves, print_state
from woodstock.cli.decision import decision_table
from woodstock.cli.guard import INTERRUPTED, UsageError
from woodstock.cli.how_to_play import filled, print_how_to_play
from woodstock.cli.move_list import columns_of, in_columns, in_order, move_texts
from woodstock.cli.progress import Working
from woodstock.cli.reading import line_editing, matching_files
from woodstock.cli.results import Keeper
from woodstock.errors import IllegalMoveError, WoodstockError
from woodstock.gdl.terms import Term
from woodstock.match import Session, complete_move, find_move
from woodstock.player import Player

__all__ = ["Desk"]

_UNASKED, _ASKED_FOR = 12, 100
"""Lines of moves, in the list of every turn and in one that was asked for."""
_HINTS = 5

INTRODUCTION = """\
Make a move by its number, by its text, or by as much of it as is clear: 'mark 2 2' or '22' for \
(mark 2 2). Tab completes what you type; the arrow keys bring earlier lines back. Or say"""
COMMANDS = """\
  moves [TEXT]  to list the legal moves (with TEXT in them)
  board         to draw the position again
  rules         what the game is about, how its moves read
  hint          what the player would do in your place
  undo          to take your last move back
  save [FILE]   to keep the game for another day
  quit          to leave
  ?             to read this again"""


class _QuitError(Exception):
    pass


class Desk:
    """What is shown to the person, and what is understood of what they type.

    Nothing is shown that their role may not see, before the game is over. There is one board a
    turn, with the last move marked on it; moves of roles that had no choice are left out. With a
    `file`, the game is kept there after every turn.
    """

    def __init__(
        self,
        console: Console,
        session: Session,
        adviser: Player,
        play_clock: float,
        *,
        file: Path | None = None,
        keep: bool = False,
    ) -> None:
        self._console = console
        self._session = session
        self._play_clock = play_clock
        self._adviser = adviser
        self._file = file
        self._keeper = Keeper(file if keep else None, many=False)
        self._keeps = keep
        self._drawn = False
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": lambda part: self._list(part, _ASKED_FOR),
            "board": lambda _: self._draw(),
            "rules": lambda _: print_how_to_play(self._console, session.game, self._legal),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "save": self._save,
            "quit": lambda _: self._quit(),
            "exit": lambda _: self._quit(),
            "?": lambda _: self._help(),
            "help": lambda _: self._help(),
        }

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self._welcome()
        try:
            with line_editing(self._complete):
                self._turns()
        except (_QuitError, KeyboardInterrupt) as leaving:
            if isinstance(leaving, KeyboardInterrupt):
                self._console.print()
            self._say_good_bye()
            if isinstance(leaving, KeyboardInterrupt):
                raise typer.Exit(INTERRUPTED) from None
            return
        if self._history is not None:
            self._reveal()
        elif not self._drawn:
            self._draw()
        print_goals(self._console, self._session.state)
        self._say(self._how_it_went())
        self._keep()

    def _turns(self) -> None:
        session = self._session
        while not session.state.is_terminal:
            legal = session.legal
            if len(legal) == 1:
                self._play(legal[0])
                continue
            if not self._drawn:
                self._draw()
            self._list()
            before = session.state
            while session.state is before:
                self._understand(self._read())

    @property
    def _history(self) -> ObservationHistory | None:
        """What the person has seen, if that is not everything."""
        situation = self._session.situation
        return situation if isinstance(situation, ObservationHistory) else None

    def _welcome(self) -> None:
        session, called = self._session, self._session.record.players
        others = ", ".join(
            f"{role} is {name}"
            for role, name in zip(session.game.roles, called)
            if role != session.role and role in session.game.players
        )
        self._say(f"{session.game.name}: you are {session.role}. {others}".rstrip(), style="bold")
        for note in session.game.notes:
            self._say(f"Note: {note}", style="yellow")
        if self._history is not None:
            self._say("Note: you do not see everything; ? is what you cannot know.", style="yellow")
        if session.moves:
            self._say(f"The game goes on after {_moves(len(session.moves))}.")
        self._say("'?' tells what you can say, 'rules' what the game is about.", style="dim")

    def _read(self) -> str:
        try:
            return input(f"{self._session.role}> ").strip()
        except EOFError:
            self._console.print()
            raise _QuitError from None

    def _complete(self, line: str) -> list[str]:
        """What a line may go on to be: commands, moves, files to save to."""
        start = line.lstrip()
        word, blank, rest = start.partition(" ")
        if word.lower() == "save" and blank:
            return [f"save {path}" for path in matching_files(rest)]
        commands = [name for name in self._commands if start and name.startswith(start.lower())]
        return [*commands, *complete_move(self._legal, start)]

    def _understand(self, text: str) -> None:
        """Do what was typed; whatever it was, the game goes on."""
        if not text:
            return
        legal = self._legal
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
        hidden = self._history is not None
        made = dict(zip(session.state.roles, step.moves))
        chose = session.chose(len(session.moves) - 1)
        shown = [role for role in chose if not hidden or role == session.role]
        seen = session.state.percepts(session.role)
        if self._drawn and (shown or any(step.errors)):
            self._console.print()
            self._drawn = False
        if shown:
            moves = tuple(made[role] for role in shown)
            print_moves(self._console, len(session.moves), shown, moves)
        for role, error in zip(session.state.roles, step.errors, strict=True):
            if error:
                # What the others tried to do is nobody's business either.
                self._say(f"     {role}: {error.split()[0] if hidden else error}", style="red")
        if seen or (hidden and shown):
            self._say(f"you perceive {', '.join(map(str, seen)) or 'nothing'}")
        self._drawn = False
        self._keep()

    def _draw(self) -> None:
        self._console.print()
        self._drawn = True
        history = self._history
        if history is None:
            print_state(self._console, self._session.state, self._session.last_choice)
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
            chose = session.chose(number - 1) or session.state.roles
            made = dict(zip(session.state.roles, moves))
            print_moves(self._console, number, chose, [made[role] for role in chose])
        self._console.print()
        print_state(self._console, session.state)

    @property
    def _legal(self) -> list[Term]:
        """The moves of the person in the order of the list: (drop 2) stands before (drop 10)."""
        return sorted(self._session.legal, key=in_order)

    def _list(self, part: str = "", lines: int = _UNASKED) -> None:
        texts = move_texts(self._legal, part)
        if not texts:
            self._say(f"no legal move has {part!r} in it", style="red")
            return
        shown = texts[: lines * columns_of(texts, self._console.width)]
        self._console.print()
        self._say(in_columns(shown, self._console.width))
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
        self._keep()
        self._drawn = False

    def _save(self, name: str) -> None:
        if not name and self._file is None:
            self._say("where to? say save FILE", style="red")
            return
        path = Path(name).expanduser() if name else self._file
        try:
            Keeper(path, many=False).finished(self._session.record)
        except (OSError, WoodstockError) as problem:
            self._say(f"not saved: {problem}", style="red")
            return
        self._file = path
        self._say(f"Saved: 'woodstock play --resume {path}' goes on with it.")

    def _keep(self) -> None:
        try:
            self._keeper.running(self._session.record)
        except OSError as problem:
            raise UsageError(f"the game cannot be kept: {problem}") from None

    def _say_good_bye(self) -> None:
        session = self._session
        self._say("Good bye, and thank you for playing.")
        if self._keeps and session.moves and not session.state.is_terminal:
            self._say(f"Your game is kept: 'woodstock play --resume {self._file}' goes on with it.")

    def _how_it_went(self) -> str:
        """A word about the end, for the person."""
        state, mine = self._session.state, self._session.role
        goals = {role: state.goal(role) or 0 for role in self._session.game.players}
        others = [goal for role, goal in goals.items() if role != mine]
        if not others:
            return f"You have {goals[mine]} points. Thank you for playing."
        if goals[mine] > max(others):
            return "You win: well played!"
        if goals[mine] == max(others):
            return "You share the first place. Thank you for playing."
        return "This one goes to the others. Thank you for playing."

    def _help(self) -> None:
        self._say(filled(INTRODUCTION, self._console.width))
        self._say(COMMANDS)

    def _quit(self) -> None:
        raise _QuitError

    def _say(self, text: str, style: str | None = None) -> None:
        self._console.print(text, markup=False, soft_wrap=True, style=style)


def _moves(number: int) -> str:
    return f"{number} move{'s' if number != 1 else ''}"
