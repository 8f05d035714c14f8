"""Forty wrong rulesheets, one mistake each, with what `check` must name.

Five small games were written for this. A mistake replaces a piece of one of them. `codes` are the
codes of findings that name it, `words` stand in the finding (message, remedy or rule). Those that
have no codes leave a game that is merely another one than was meant: they count as missed.
"""

from __future__ import annotations

from dataclasses import dataclass

LINES = """; Three in a row.
(role crosses)
(role noughts)
(index 1) (index 2) (index 3)
(<= (base (cell ?x ?y blank)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?player)) (index ?x) (index ?y) (role ?player))
(<= (base (control ?player)) (role ?player))
(<= (input ?player (mark ?x ?y)) (role ?player) (index ?x) (index ?y))
(<= (input ?player noop) (role ?player))
(<= (init (cell ?x ?y blank)) (index ?x) (index ?y))
(init (control crosses))
(<= (legal ?player (mark ?x ?y)) (true (control ?player)) (true (cell ?x ?y blank)))
(<= (legal crosses noop) (true (control noughts)))
(<= (legal noughts noop) (true (control crosses)))
(<= (next (cell ?x ?y ?player)) (does ?player (mark ?x ?y)))
(<= (next (cell ?u ?v ?what)) (true (cell ?u ?v ?what)) (does ?player (mark ?x ?y))
    (or (distinct ?u ?x) (distinct ?v ?y)))
(<= (next (control crosses)) (true (control noughts)))
(<= (next (control noughts)) (true (control crosses)))
(<= (line ?player) (role ?player) (true (cell ?x 1 ?player)) (true (cell ?x 2 ?player))
    (true (cell ?x 3 ?player)))
(<= (line ?player) (role ?player) (true (cell 1 ?y ?player)) (true (cell 2 ?y ?player))
    (true (cell 3 ?y ?player)))
(<= somebody (line ?player))
(<= open (true (cell ?x ?y blank)))
(<= terminal somebody)
(<= terminal (not open))
(<= (goal ?player 100) (line ?player))
(<= (goal ?player 50) (role ?player) (not somebody))
(<= (goal ?player 0) (role ?player) (line ?other) (distinct ?player ?other))
"""

PAWNS = """; Two rows of pawns; who cannot step or beat must pass.
(role white)
(role black)
(init (control white))
(init (step 1))
(init (square a 1 white)) (init (square b 1 white)) (init (square c 1 white))
(init (square a 2 empty)) (init (square b 2 empty)) (init (square c 2 empty))
(init (square a 3 empty)) (init (square b 3 empty)) (init (square c 3 empty))
(init (square a 4 black)) (init (square b 4 black)) (init (square c 4 black))
(beside a b) (beside b a) (beside b c) (beside c b)
(up white 1 2) (up white 2 3) (up white 3 4)
(up black 4 3) (up black 3 2) (up black 2 1)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13)
(<= (may ?p (move ?x ?y ?x ?z)) (true (square ?x ?y ?p)) (up ?p ?y ?z)
    (true (square ?x ?z empty)))
(<= (may ?p (move ?x ?y ?u ?z)) (true (square ?x ?y ?p)) (up ?p ?y ?z) (beside ?x ?u)
    (true (square ?u ?z ?enemy)) (role ?enemy) (distinct ?p ?enemy))
(<= (able ?p) (may ?p ?move))
(<= (legal ?p ?move) (true (control ?p)) (may ?p ?move))
(<= (legal ?p pass) (true (control ?p)) (not (able ?p)))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (changed ?x ?y) (does ?p (move ?x ?y ?u ?v)))
(<= (changed ?u ?v) (does ?p (move ?x ?y ?u ?v)))
(<= (next (square ?x ?y empty)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (square ?u ?v ?p)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (square ?x ?y ?w)) (true (square ?x ?y ?w)) (not (changed ?x ?y)))
(<= (next (control ?p)) (role ?p) (not (true (control ?p))))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (through white) (true (square ?x 4 white)))
(<= (through black) (true (square ?x 1 black)))
(<= terminal (through ?p))
(<= terminal (true (step 13)))
(<= (goal ?p 100) (through ?p))
(<= (goal ?p 0) (role ?p) (through ?q) (distinct ?p ?q))
(<= (goal ?p 50) (role ?p) (not (through white)) (not (through black)))
"""

STICKS = """; Who takes the last stick wins.
(role ann)
(role bob)
(other ann bob) (other bob ann)
(init (heap left 3)) (init (heap right 4)) (init (turn ann))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (less ?m ?n) (succ ?m ?n))
(<= (less ?m ?n) (succ ?k ?n) (less ?m ?k))
(<= (legal ?p (leave ?heap ?m)) (true (turn ?p)) (true (heap ?heap ?n)) (less ?m ?n))
(<= (legal ?p wait) (other ?p ?q) (true (turn ?q)))
(<= (touched ?heap) (does ?p (leave ?heap ?m)))
(<= (next (heap ?heap ?m)) (does ?p (leave ?heap ?m)))
(<= (next (heap ?heap ?n)) (true (heap ?heap ?n)) (not (touched ?heap)))
(<= (next (turn ?p)) (other ?p ?q) (true (turn ?q)))
(<= sticks (true (heap ?heap ?n)) (distinct ?n 0))
(<= terminal (not sticks))
(<= (goal ?p 100) (other ?p ?q) (true (turn ?q)))
(<= (goal ?p 0) (true (turn ?p)))
"""

LAMPS = """; Switch on all lamps in six moves.
(role robot)
(lamp a) (lamp b) (lamp c)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (base (shines ?l ?s)) (lamp ?l) (state ?s))
(<= (base (step ?n)) (succ ?n ?m))
(base (step 7))
(<= (input robot (press ?l)) (lamp ?l))
(state on) (state off)
(<= (init (shines ?l off)) (lamp ?l))
(init (step 1))
(<= (legal robot (press ?l)) (lamp ?l))
(<= (next (shines ?l on)) (does robot (press ?l)) (true (shines ?l off)))
(<= (next (shines ?l off)) (does robot (press ?l)) (true (shines ?l on)))
(<= (next (shines ?l ?s)) (true (shines ?l ?s)) (not (does robot (press ?l))))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= dark (true (shines ?l off)))
(<= terminal (not dark))
(<= terminal (true (step 7)))
(<= (goal robot 100) (not dark))
(<= (goal robot 0) dark)
"""

ROUNDS = """; Three rounds of rock, paper, scissors.
(role kim)
(role lee)
(sign rock) (sign paper) (sign scissors)
(beats rock scissors) (beats scissors paper) (beats paper rock)
(init (round 1)) (init (score kim 0)) (init (score lee 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p (show ?s)) (role ?p) (sign ?s))
(<= (wins ?p) (does ?p (show ?s)) (does ?q (show ?t)) (beats ?s ?t))
(<= (next (score ?p ?m)) (wins ?p) (true (score ?p ?n)) (succ ?n ?m))
(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (wins ?p)))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= terminal (true (round 4)))
(<= (more ?n ?m) (succ ?m ?n))
(<= (more ?n ?m) (succ ?k ?n) (more ?k ?m))
(<= (ahead ?p) (true (score ?p ?n)) (true (score ?q ?m)) (more ?n ?m))
(<= (goal ?p 100) (ahead ?p))
(<= (goal ?p 50) (role ?p) (not (ahead kim)) (not (ahead lee)))
(<= (goal ?p 0) (role ?p) (ahead ?q) (distinct ?p ?q))
"""

GOOD = {"lines": LINES, "pawns": PAWNS, "sticks": STICKS, "lamps": LAMPS, "rounds": ROUNDS}


@dataclass(frozen=True)
class Mistake:
    """A game with one piece replaced, and the findings that name it."""

    name: str
    game: str
    right: str
    wrong: str
    codes: tuple[str, ...]
    words: str = ""

    @property
    def text(self) -> str:
        """The wrong rulesheet."""
        assert GOOD[self.game].count(self.right) == 1, self.name
        return GOOD[self.game].replace(self.right, self.wrong)


MISTAKES = (
    # The nine that designers make most.
    Mistake(
        "a fluent that nothing makes",
        "lines",
        "(<= open (true (cell ?x",
        "(<= open (true (cel ?x",
        ("unmade",),
        "did you mean cell?",
    ),
    Mistake(
        "a name that should be a role",
        "lines",
        "(next (control noughts))",
        "(next (control nought))",
        ("role",),
        "did you mean noughts?",
    ),
    Mistake(
        "no frame rule",
        "lines",
        "(<= (next (cell ?u ?v ?what)) (true (cell ?u ?v ?what))"
        " (does ?player (mark ?x ?y))\n    (or (distinct ?u ?x) (distinct ?v ?y)))\n",
        "",
        ("frame",),
        "cell",
    ),
    Mistake(
        "no goal at a draw",
        "lines",
        "(<= (goal ?player 50) (role ?player) (not somebody))\n",
        "",
        ("goal",),
        "no goal at the end",
    ),
    Mistake(
        "two goals at the end",
        "lines",
        "(<= (goal ?player 50) (role ?player) (not somebody))",
        "(<= (goal ?player 50) (role ?player))",
        ("goal",),
        "several goals",
    ),
    Mistake(
        "a role without a move later on",
        "pawns",
        "(<= (legal ?p pass) (true (control ?p)) (not (able ?p)))\n",
        "",
        ("stuck",),
        "has no legal move",
    ),
    Mistake(
        "no end",
        "lamps",
        "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))",
        "(<= (next (step ?n)) (true (step ?n)))",
        ("endless", "never"),
        "",
    ),
    Mistake(
        "terms that grow for ever",
        "pawns",
        "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))",
        "(<= (next (step (after ?n))) (true (step ?n)))",
        ("growth",),
        "(step (after ?n))",
    ),
    Mistake(
        "base without a value",
        "lines",
        "(<= (base (cell ?x ?y blank)) (index ?x) (index ?y))",
        "",
        ("base",),
        "does not cover",
    ),
    Mistake(
        "a relation that is defined nowhere",
        "sticks",
        "(true (heap ?heap ?n)) (less ?m ?n))",
        "(true (heap ?heap ?n)) (lesss ?m ?n))",
        ("undefined",),
        "did you mean less?",
    ),
    # Others about fluents, moves and names.
    Mistake(
        "input with another move",
        "lines",
        "(input ?player (mark ?x ?y))",
        "(input ?player (put ?x ?y))",
        ("input",),
        "(mark ?x ?y)",
    ),
    Mistake(
        "a fluent with too few arguments",
        "pawns",
        "(<= (through white) (true (square ?x 4 white)",
        "(<= (through white) (true (square 4 white)",
        ("unmade",),
        "give it 3 arguments",
    ),
    Mistake(
        "arguments in the wrong order",
        "lines",
        "(true (control ?player)) (true (cell ?x ?y blank",
        "(true (control ?player)) (true (cell blank ?x ?y",
        ("unmade", "never"),
        "cell",
    ),
    Mistake(
        "a misspelt value",
        "lines",
        "(<= (init (cell ?x ?y blank))",
        "(<= (init (cell ?x ?y blnak))",
        ("spelling", "base", "unmade", "never"),
        "blnak",
    ),
    Mistake(
        "a misspelt value in next",
        "pawns",
        "(next (square ?x ?y empty))",
        "(next (square ?x ?y empyt))",
        ("spelling",),
        "did you mean empty?",
    ),
    Mistake(
        "a misspelt variable",
        "sticks",
        "(<= (next (heap ?heap ?n)) (true (heap ?heap ?n)) (not (touched ?heap)))",
        "(<= (next (heap ?heap ?n)) (true (heap ?heap ?n)) (not (touched ?haep)))",
        ("spelling",),
        "did you mean ?heap?",
    ),
    Mistake(
        "a misspelt fluent in next",
        "rounds",
        "(next (round ?m))",
        "(next (ruond ?m))",
        ("spelling",),
        "did you mean round?",
    ),
    Mistake(
        "a misspelt move",
        "sticks",
        "(next (heap ?heap ?m)) (does ?p (leave ?heap ?m))",
        "(next (heap ?heap ?m)) (does ?p (leav ?heap ?m))",
        ("unmade",),
        "did you mean leave?",
    ),
    Mistake(
        "a misspelt relation in a head",
        "pawns",
        "(<= (changed ?u ?v)",
        "(<= (chaged ?u ?v)",
        ("spelling",),
        "did you mean changed?",
    ),
    Mistake(
        "a move for nobody",
        "lines",
        "(<= (legal noughts noop)",
        "(<= (legal nougths noop)",
        ("role",),
        "did you mean noughts?",
    ),
    Mistake(
        "a square off the board",
        "pawns",
        "(true (square ?x 4 white))",
        "(true (square ?x 5 white))",
        ("unmade", "never"),
        "square",
    ),
    # About the course of the game.
    Mistake(
        "a frame rule that wants both to differ",
        "lines",
        "(or (distinct ?u ?x) (distinct ?v ?y))",
        "(distinct ?u ?x) (distinct ?v ?y)",
        ("frame",),
        "cell",
    ),
    Mistake(
        "scores that are forgotten",
        "rounds",
        "(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (wins ?p)))\n",
        "",
        ("frame",),
        "score",
    ),
    Mistake(
        "no move at the start",
        "lines",
        "(<= (legal noughts noop) (true (control crosses)))\n",
        "",
        ("start",),
        "noughts has no legal move",
    ),
    Mistake(
        "nobody has the turn", "sticks", " (init (turn ann))", "", ("start", "unmade", "never"), ""
    ),
    Mistake(
        "over before it begins",
        "lamps",
        "(<= terminal (not dark))",
        "(<= terminal dark)",
        ("start",),
        "over before it begins",
    ),
    Mistake(
        "a counter that runs backwards",
        "pawns",
        "(true (step ?n)) (succ ?n ?m))",
        "(true (step ?n)) (succ ?m ?n))",
        ("never", "endless"),
        "step",
    ),
    Mistake("a gap in the numbers", "lamps", "(succ 4 5) ", "", ("frame",), "(step _)"),
    Mistake(
        "one player alone can win",
        "rounds",
        "(<= (goal ?p 0) (role ?p) (ahead ?q) (distinct ?p ?q))\n",
        "",
        ("goal",),
        "no goal at the end",
    ),
    Mistake(
        "goals for one role alone",
        "sticks",
        "(<= (goal ?p 100) (other ?p ?q) (true (turn ?q)))\n(<= (goal ?p 0) (true (turn ?p)))",
        "(<= (goal ann 100) (true (turn bob)))\n(<= (goal ann 0) (true (turn ann)))",
        ("goal",),
        "no rule gives bob a goal",
    ),
    Mistake(
        "distinct from itself",
        "pawns",
        "(role ?enemy) (distinct ?p ?enemy)",
        "(role ?enemy) (distinct ?p ?p)",
        ("never",),
        "never distinct from itself",
    ),
    # About the specification.
    Mistake(
        "an open parenthesis",
        "lines",
        "(<= terminal somebody)",
        "(<= terminal somebody",
        ("syntax",),
        "never closed",
    ),
    Mistake(
        "a variable that nothing binds",
        "sticks",
        "(<= (touched ?heap) (does ?p (leave ?heap ?m)))",
        "(<= (touched ?h) (does ?p (leave ?heap ?m)))",
        ("unsafe",),
        "?h",
    ),
    Mistake(
        "negation of itself",
        "lamps",
        "(<= dark (true (shines ?l off)))",
        "(<= dark (true (shines ?l off)))\n(<= bright (not gloomy))\n(<= gloomy (not bright))",
        ("unstratified",),
        "depends on itself",
    ),
    Mistake(
        "does below legal",
        "rounds",
        "(<= (legal ?p (show ?s)) (role ?p) (sign ?s))",
        "(<= (legal ?p (show ?s)) (role ?p) (sign ?s) (not (does ?p (show ?s))))",
        ("keyword",),
        "legal depends on",
    ),
    Mistake(
        "true in place of next",
        "lamps",
        "(<= (next (step ?m))",
        "(<= (true (step ?m))",
        ("keyword",),
        "cannot be the head",
    ),
    Mistake(
        "a goal above 100", "sticks", "(<= (goal ?p 100)", "(<= (goal ?p 1000)", ("goal",), "1000"
    ),
    # A game that can be played, and is another one than was meant.
    Mistake(
        "the square that is left stays full",
        "pawns",
        "(<= (next (square ?x ?y empty)) (does ?p (move ?x ?y ?u ?v)))",
        "(<= (next (square ?x ?y ?p)) (does ?p (move ?x ?y ?u ?v)))",
        (),
        "",
    ),
    Mistake(
        "the turn never changes",
        "sticks",
        "(<= (next (turn ?p)) (other ?p ?q) (true (turn ?q)))",
        "(<= (next (turn ?p)) (true (turn ?p)))",
        (),
        "",
    ),
    Mistake(
        "the loser gets the goal",
        "sticks",
        "(<= (goal ?p 100) (other ?p ?q) (true (turn ?q)))\n(<= (goal ?p 0) (true (turn ?p)))",
        "(<= (goal ?p 0) (other ?p ?q) (true (turn ?q)))\n(<= (goal ?p 100) (true (turn ?p)))",
        (),
        "",
    ),
)
