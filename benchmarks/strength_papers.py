"""What was published about MAC-UCB: percentages of matches won, to be put beside ours.

F. Koriche, S. Lagrue, É. Piette, S. Tabary: General game playing with stochastic CSP, Constraints
21 (2016), Tables 3 and 4; 5,000 matches each.
"""

from __future__ import annotations

SOURCE = "Constraints 2016, Tables 3 and 4"

SECONDS = (1, 5, 10, 20, 30, 40, 50, 60)
"""The times for a move in `BY_TIME`."""

AT_30_SECONDS: dict[tuple[str, str], dict[str, tuple[float, float]]] = {
    ("mac-ucb", "uct"): {
        "oware": (56.7, 1.63),
        "backgammon": (68.2, 5.49),
        "bomberman": (65.4, 6.32),
        "cant-stop": (71.7, 6.43),
        "checkers": (61.2, 2.12),
        "chess": (53.8, 1.75),
        "chinese-checkers": (55.4, 8.24),
        "hex": (69.7, 2.45),
        "kaseklau": (71.4, 6.56),
        "orchard": (70.2, 3.41),
        "othello": (79.3, 1.41),
        "pacman": (69.1, 2.73),
        "pickomino": (63.4, 4.89),
        "tic-tac-toe": (65.7, 0.89),
        "yahtzee": (71.2, 5.48),
    },
    ("mac-ucb", "fc-ucb"): {
        "oware": (77.7, 1.92),
        "backgammon": (84.8, 6.36),
        "bomberman": (75.7, 5.34),
        "cant-stop": (65.9, 4.87),
        "checkers": (76.9, 1.61),
        "chess": (68.5, 1.76),
        "chinese-checkers": (78.1, 7.23),
        "hex": (73.2, 3.24),
        "kaseklau": (58.9, 7.87),
        "orchard": (70.2, 3.45),
        "othello": (75.1, 0.89),
        "pacman": (74.1, 3.12),
        "pickomino": (65.9, 6.10),
        "tic-tac-toe": (51.8, 0.76),
        "yahtzee": (74.0, 5.12),
    },
    ("fc-ucb", "uct"): {
        "oware": (43.2, 2.34),
        "backgammon": (47.3, 5.87),
        "bomberman": (58.4, 5.46),
        "cant-stop": (54.7, 5.34),
        "checkers": (57.5, 1.43),
        "chess": (39.4, 1.75),
        "chinese-checkers": (32.7, 6.51),
        "hex": (55.3, 3.12),
        "kaseklau": (68.3, 7.34),
        "orchard": (70.0, 2.45),
        "othello": (61.3, 1.14),
        "pacman": (61.8, 3.78),
        "pickomino": (52.1, 5.34),
        "tic-tac-toe": (64.9, 0.73),
        "yahtzee": (58.6, 5.34),
    },
}
"""Table 3, 30 seconds for a move: first player, second player, game; per cent and its σ.

Chinese checkers is one against two, and orchard, which is cooperative, the success of the first
player in both seats.
"""

BY_TIME: dict[str, tuple[float, ...]] = {
    "oware": (38.6, 43.3, 47.4, 51.6, 56.7, 57.9, 61.3, 63.0),
    "backgammon": (53.1, 58.1, 61.4, 65.8, 68.2, 71.3, 77.0, 79.6),
    "bomberman": (58.3, 60.0, 60.2, 64.7, 65.4, 70.1, 72.4, 75.6),
    "cant-stop": (50.3, 54.7, 59.9, 62.2, 71.7, 74.9, 76.3, 78.9),
    "checkers": (43.4, 49.6, 51.4, 56.8, 61.2, 67.2, 71.3, 75.7),
    "chess": (34.0, 39.3, 46.1, 49.9, 53.8, 56.4, 57.6, 60.8),
    "chinese-checkers": (27.4, 35.5, 43.7, 50.7, 55.4, 59.1, 63.2, 65.4),
    "hex": (54.7, 56.2, 58.5, 67.4, 69.7, 71.4, 71.9, 72.5),
    "kaseklau": (63.6, 65.2, 68.3, 70.2, 71.4, 73.2, 74.7, 75.1),
    "orchard": (65.3, 68.5, 69.9, 70.2, 70.2, 70.1, 70.2, 70.2),
    "othello": (61.9, 64.0, 70.6, 75.8, 79.3, 82.0, 84.2, 84.9),
    "pacman": (64.4, 66.2, 67.1, 67.9, 69.1, 69.4, 69.8, 70.5),
    "pickomino": (52.4, 55.3, 58.0, 61.1, 63.4, 65.8, 66.1, 68.6),
    "tic-tac-toe": (63.6, 64.4, 64.9, 65.4, 65.7, 65.9, 65.8, 65.4),
    "yahtzee": (43.5, 50.1, 53.7, 64.3, 71.2, 75.2, 77.1, 78.9),
}
"""Table 4: MAC-UCB against UCT, per cent, with more and more time for a move."""
