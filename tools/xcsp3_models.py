"""Small problems that everybody knows, stated for pycsp3: what ``xcsp3_instances.py`` records.

Each function takes the module of pycsp3 and states one instance with it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

__all__ = ["MODELS"]

MODELS: dict[str, Callable[[Any], None]] = {}


def model(function: Callable[[Any], None]) -> Callable[[Any], None]:
    MODELS[function.__name__.replace("_", "-")] = function
    return function


# Different values


@model
def queens_diagonals(p: Any) -> None:
    n = 6
    q = p.VarArray(size=n, dom=range(n), id="q")
    p.satisfy(
        p.AllDifferent(q),
        p.AllDifferent(q[i] + i for i in range(n)),
        p.AllDifferent(q[i] - i for i in range(n)),
    )


@model
def queens_distances(p: Any) -> None:
    n = 7
    q = p.VarArray(size=n, dom=range(n), id="q")
    p.satisfy(
        p.AllDifferent(q),
        [p.abs(q[i] - q[j]) != j - i for i, j in combinations(range(n), 2)],
    )


@model
def sudoku_of_four(p: Any) -> None:
    x = p.VarArray(size=[4, 4], dom=range(1, 5), id="x")
    p.satisfy(
        p.AllDifferent(x, matrix=True),
        [p.AllDifferent(x[i : i + 2, j : j + 2]) for i in (0, 2) for j in (0, 2)],
        x[0][0] == 1,
        x[1][2] == 1,
    )


@model
def latin_square(p: Any) -> None:
    x = p.VarArray(size=[4, 4], dom=range(4), id="x")
    p.satisfy(p.AllDifferent(x, matrix=True), x[0] == [0, 1, 2, 3])


@model
def pigeons(p: Any) -> None:
    x = p.VarArray(size=6, dom=range(5), id="x")
    p.satisfy(p.AllDifferent(x))


@model
def rows_that_differ(p: Any) -> None:
    x = p.VarArray(size=[3, 3], dom=range(2), id="x")
    p.satisfy(p.AllDifferentList(x[0], x[1], x[2]), [p.Sum(row) <= 2 for row in x])


@model
def different_but_for_zero(p: Any) -> None:
    x = p.VarArray(size=5, dom=range(4), id="x")
    p.satisfy(p.AllDifferent(x, excepting=0), p.Sum(x) >= 4)


@model
def all_intervals(p: Any) -> None:
    n = 7
    x = p.VarArray(size=n, dom=range(n), id="x")
    p.satisfy(p.AllDifferent(x), p.AllDifferent(p.abs(x[i] - x[i + 1]) for i in range(n - 1)))


@model
def costas_array(p: Any) -> None:
    n = 5
    x = p.VarArray(size=n, dom=range(n), id="x")
    p.satisfy(
        p.AllDifferent(x),
        [p.AllDifferent(x[i] - x[i + d] for i in range(n - d)) for d in range(1, n - 1)],
    )


@model
def colouring_a_wheel(p: Any) -> None:
    x = p.VarArray(size=7, dom=range(4), id="x")
    p.satisfy([x[0] != x[i] for i in range(1, 7)], [x[i] != x[i % 6 + 1] for i in range(1, 7)])


# Sums


@model
def magic_square(p: Any) -> None:
    x = p.VarArray(size=[3, 3], dom=range(1, 10), id="x")
    p.satisfy(
        p.AllDifferent(x),
        [p.Sum(row) == 15 for row in x],
        [p.Sum(x[:, j]) == 15 for j in range(3)],
        p.Sum(x[i][i] for i in range(3)) == 15,
        p.Sum(x[i][2 - i] for i in range(3)) == 15,
    )


@model
def magic_square_of_four(p: Any) -> None:
    x = p.VarArray(size=[4, 4], dom=range(1, 17), id="x")
    p.satisfy(
        p.AllDifferent(x),
        [p.Sum(row) == 34 for row in x],
        [p.Sum(x[:, j]) == 34 for j in range(4)],
        x[0] == [16, 3, 2, 13],
        x[1] == [5, 10, 11, 8],
    )


@model
def send_more_money(p: Any) -> None:
    x = p.VarArray(size=8, dom=range(10), id="x")
    s, e, n, d, m, o, r, y = x
    send = [s * 1000, e * 100, n * 10, d]
    more = [m * 1000, o * 100, r * 10, e]
    money = [m * -10000, o * -1000, n * -100, e * -10, y * -1]
    p.satisfy(p.AllDifferent(x), s > 0, m > 0, p.Sum(send + more + money) == 0)


@model
def two_and_two(p: Any) -> None:
    x = p.VarArray(size=6, dom=range(10), id="x")
    t, w, o, f, u, r = x
    c = p.VarArray(size=3, dom=range(2), id="c")
    p.satisfy(
        p.AllDifferent(x),
        t > 0,
        f > 0,
        2 * o == r + 10 * c[0],
        2 * w + c[0] == u + 10 * c[1],
        2 * t + c[1] == o + 10 * c[2],
        c[2] == f,
    )


@model
def change_of_a_franc(p: Any) -> None:
    coins = [1, 2, 5, 10, 20, 50]
    x = p.VarArray(size=6, dom=lambda i: range(60 // coins[i] + 1), id="x")
    p.satisfy(x * coins == 60)


@model
def subset_sum(p: Any) -> None:
    weights = [14, 23, 31, 8, 17, 29, 40, 3, 11, 19, 26, 37]
    x = p.VarArray(size=12, dom={0, 1}, id="x")
    p.satisfy(x * weights == 100)


@model
def number_partition(p: Any) -> None:
    n = 8
    x = p.VarArray(size=n, dom=range(1, n + 1), id="x")
    half = n // 2
    p.satisfy(
        p.AllDifferent(x),
        p.Sum(x[:half]) == p.Sum(x[half:]),
        p.Sum(x[i] * x[i] for i in range(half)) == p.Sum(x[i] * x[i] for i in range(half, n)),
        [x[i] < x[i + 1] for i in range(half - 1)],
        [x[i] < x[i + 1] for i in range(half, n - 1)],
    )


@model
def sums_in_sets(p: Any) -> None:
    x = p.VarArray(size=6, dom=range(-2, 3), id="x")
    p.satisfy(p.Sum(x) in {-5, 0, 7}, x[:4] * [1, -2, 3, -4] in range(2, 6), p.Sum(x[2:]) != 1)


@model
def a_sum_that_is_bounded_by_a_variable(p: Any) -> None:
    x = p.VarArray(size=6, dom=range(5), id="x")
    y = p.Var(range(12), id="y")
    p.satisfy(p.Sum(x) < y, p.Sum(x) + y >= 9, x[0] >= x[5])


@model
def weighted_by_variables(p: Any) -> None:
    x = p.VarArray(size=3, dom=range(4), id="x")
    y = p.VarArray(size=3, dom=range(-1, 3), id="y")
    p.satisfy(p.Sum(x[i] * y[i] for i in range(3)) == 5, p.Sum(x) > p.Sum(y))


@model
def magic_ring(p: Any) -> None:
    n = 6
    x = p.VarArray(size=n, dom=range(1, 10), id="x")
    p.satisfy(
        p.AllDifferent(x),
        [x[2 * i] + x[2 * i + 1] + x[(2 * i + 2) % n] == 14 for i in range(3)],
        x[0] < x[2],
    )


@model
def block_design(p: Any) -> None:
    x = p.VarArray(size=[4, 6], dom={0, 1}, id="x")
    p.satisfy(
        [p.Sum(row) == 3 for row in x],
        [p.Sum(x[:, j]) == 2 for j in range(6)],
        [p.Sum(x[i][k] * x[j][k] for k in range(6)) == 1 for i, j in combinations(range(4), 2)],
    )


# Elements


@model
def quasigroup(p: Any) -> None:
    n = 4
    x = p.VarArray(size=[n, n], dom=range(n), id="x")
    p.satisfy(
        p.AllDifferent(x, matrix=True),
        [x[i][i] == i for i in range(n)],
        [x[x[i][j], x[j][i]] == i for i in range(n) for j in range(n)],
    )


@model
def langford_pairs(p: Any) -> None:
    k = 4
    place = p.VarArray(size=2 * k, dom=range(2 * k), id="place")
    at = p.VarArray(size=2 * k, dom=range(1, k + 1), id="at")
    p.satisfy(
        p.AllDifferent(place),
        [place[2 * i + 1] == place[2 * i] + i + 2 for i in range(k)],
        [at[place[2 * i]] == i + 1 for i in range(k)],
        [at[place[2 * i + 1]] == i + 1 for i in range(k)],
    )


@model
def stable_marriages(p: Any) -> None:
    men = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    women = [[1, 2, 0], [2, 0, 1], [0, 1, 2]]
    n = 3
    wife = p.VarArray(size=n, dom=range(n), id="wife")
    husband = p.VarArray(size=n, dom=range(n), id="husband")
    mrank = [[men[m].index(w) for w in range(n)] for m in range(n)]
    wrank = [[women[w].index(m) for m in range(n)] for w in range(n)]
    ofm = p.VarArray(size=n, dom=range(n), id="ofm")
    ofw = p.VarArray(size=n, dom=range(n), id="ofw")
    p.satisfy(
        [husband[wife[m]] == m for m in range(n)],
        [p.cp_array(mrank[m])[wife[m]] == ofm[m] for m in range(n)],
        [p.cp_array(wrank[w])[husband[w]] == ofw[w] for w in range(n)],
        [(ofm[m] <= mrank[m][w]) | (ofw[w] <= wrank[w][m]) for m in range(n) for w in range(n)],
    )


@model
def a_walk_by_distances(p: Any) -> None:
    distances = p.cp_array([[0, 3, 5, 8], [3, 0, 2, 7], [5, 2, 0, 4], [8, 7, 4, 0]])
    x = p.VarArray(size=4, dom=range(4), id="x")
    d = p.VarArray(size=3, dom=range(9), id="d")
    p.satisfy(
        p.AllDifferent(x), [distances[x[i], x[i + 1]] == d[i] for i in range(3)], p.Sum(d) <= 14
    )


@model
def a_chain_of_pointers(p: Any) -> None:
    n = 5
    f = p.VarArray(size=n, dom=range(n), id="f")
    p.satisfy([f[f[i]] == i for i in range(n)], [f[i] != i for i in range(n - 1)])


# Counts


@model
def magic_sequence(p: Any) -> None:
    n = 7
    x = p.VarArray(size=n, dom=range(n), id="x")
    p.satisfy([p.Count(x, value=i) == x[i] for i in range(n)])


@model
def nurses(p: Any) -> None:
    x = p.VarArray(size=[3, 4], dom=range(3), id="x")
    p.satisfy(
        [p.Count(x[:, d], value=1) == 1 for d in range(4)],
        [p.Count(row, value=0) >= 1 for row in x],
        [p.Count(row, values=[1, 2]) <= 3 for row in x],
        [(row[d] != 2) | (row[d + 1] != 1) for row in x for d in range(3)],
    )


@model
def as_many_as_a_variable(p: Any) -> None:
    x = p.VarArray(size=5, dom=range(4), id="x")
    y, z = p.Var(range(4), id="y"), p.Var(range(6), id="z")
    p.satisfy(p.Count(x, value=y) == z, z > 2, p.AtMostOne(x, value=3))


@model
def cards_dealt(p: Any) -> None:
    x = p.VarArray(size=6, dom=range(3), id="x")
    p.satisfy(p.Cardinality(x, occurrences={0: 2, 1: range(1, 4), 2: range(1, 3)}))


@model
def steiner_triples(p: Any) -> None:
    x = p.VarArray(size=[7, 3], dom=range(1, 8), id="x")
    pairs = list(combinations(range(7), 2))
    p.satisfy(
        [row[i] < row[i + 1] for row in x for i in range(2)],
        [x[i][0] <= x[i + 1][0] for i in range(6)],
        [p.Sum(x[i][a] == x[j][b] for a in range(3) for b in range(3)) <= 1 for i, j in pairs],
        [p.Count(x, value=v) == 3 for v in range(1, 8)],
        x[0] == [1, 2, 3],
        x[1] == [1, 4, 5],
        x[2] == [1, 6, 7],
    )


@model
def schurs_lemma(p: Any) -> None:
    n = 8
    x = p.VarArray(size=n, dom=range(3), id="x")
    p.satisfy(
        (x[i] != x[j]) | (x[j] != x[i + j + 1])
        for i in range(n)
        for j in range(i, n)
        if i + j + 1 < n
    )


# Intension


@model
def pythagoras(p: Any) -> None:
    x = p.VarArray(size=3, dom=range(1, 26), id="x")
    a, b, c = x
    p.satisfy(a * a + b * b == c * c, a < b)


@model
def truth_and_lies(p: Any) -> None:
    x = p.VarArray(size=4, dom={0, 1}, id="x")
    p.satisfy(
        p.iff(x[0], x[1] == 0),
        p.imply(x[1], x[2] + x[3] >= 1),
        p.xor(x[1], x[2], x[3]),
        (x[0] == 1) | (x[3] == 1),
    )


@model
def division_and_remainder(p: Any) -> None:
    x, y = p.Var(range(15), id="x"), p.Var(range(1, 4), id="y")
    q, r = p.Var(range(8), id="q"), p.Var(range(1, 4), id="r")
    p.satisfy(x // y == q, x % y == r)


@model
def dubois(p: Any) -> None:
    x = p.VarArray(size=7, dom={0, 1}, id="x")
    p.satisfy(p.xor(x[i], x[i + 1], x[(i + 3) % 7]) for i in range(6))


@model
def who_drinks_water(p: Any) -> None:
    colours = p.VarArray(size=3, dom=range(3), id="colour")
    red, green, blue = colours
    drinks = p.VarArray(size=3, dom=range(3), id="drink")
    tea, milk, _ = drinks
    pets = p.VarArray(size=3, dom=range(3), id="pet")
    dog, cat, fish = pets
    p.satisfy(
        p.AllDifferent(colours),
        p.AllDifferent(drinks),
        p.AllDifferent(pets),
        red == tea,
        p.abs(green - dog) == 1,
        blue != milk,
        cat < fish,
    )


@model
def choices_by_condition(p: Any) -> None:
    b = p.Var(0, 1, id="b")
    x = p.VarArray(size=3, dom=range(6), id="x")
    p.satisfy(
        p.If(b == 1, Then=x[0] > x[1], Else=x[0] + 2 == x[1]),
        p.ift(x[2] > 2, x[0], x[1]) <= 3,
        p.min(x[0], x[1]) + p.max(x[1], x[2]) == 5,
    )


@model
def products_and_powers(p: Any) -> None:
    x, y = p.Var(range(-3, 4), id="x"), p.Var(range(0, 4), id="y")
    z = p.Var(range(-30, 31), id="z")
    p.satisfy(x * x * y - y == z, -x < z, x**3 <= 9)


@model
def a_large_intension(p: Any) -> None:
    x = p.VarArray(size=5, dom=range(12), id="x")
    p.satisfy(
        p.abs(x[0] - x[1]) + p.abs(x[2] - x[3]) == x[4] * 3,
        p.AllDifferent(x),
        x[0] < x[1],
        x[2] < x[3],
        x[0] < x[2],
    )


@model
def highest_and_lowest(p: Any) -> None:
    x = p.VarArray(size=5, dom=range(6), id="x")
    p.satisfy(p.Maximum(x) == 4, p.Minimum(x) >= 2, p.Increasing(x[:3]), x[3] != x[4])


@model
def strictly_rising(p: Any) -> None:
    x = p.VarArray(size=5, dom=range(9), id="x")
    p.satisfy(p.Increasing(x, strict=True), p.Sum(x) == 20)


@model
def a_table_beside_others(p: Any) -> None:
    x = p.VarArray(size=4, dom=range(4), id="x")
    p.satisfy((x[0], x[1], x[2]) in {(0, 1, 2), (1, 2, 3), (3, 3, 0)}, p.Sum(x) >= 5, x[3] != x[0])


# Minimise and maximise


@model
def knapsack(p: Any) -> None:
    weights, worth = [12, 7, 11, 8, 9, 6, 5, 14], [24, 13, 23, 15, 16, 11, 9, 28]
    x = p.VarArray(size=8, dom={0, 1}, id="x")
    p.satisfy(x * weights <= 35)
    p.maximize(x * worth)


@model
def golomb_ruler(p: Any) -> None:
    n, most = 5, 14
    x = p.VarArray(size=n, dom=range(most), id="x")
    p.satisfy(
        x[0] == 0,
        p.Increasing(x, strict=True),
        p.AllDifferent(x[j] - x[i] for i, j in combinations(range(n), 2)),
    )
    p.minimize(x[n - 1])


@model
def warehouses(p: Any) -> None:
    costs = [[4, 9, 7], [6, 3, 8], [9, 5, 2], [5, 8, 6]]
    x = p.VarArray(size=4, dom=range(3), id="x")
    is_open = p.VarArray(size=3, dom={0, 1}, id="open")
    cost = p.VarArray(size=4, dom=range(10), id="cost")
    p.satisfy(
        [p.Count(x, value=w) <= 2 for w in range(3)],
        [is_open[x[s]] == 1 for s in range(4)],
        [p.cp_array(costs[s])[x[s]] == cost[s] for s in range(4)],
    )
    p.minimize(p.Sum(cost) + p.Sum(is_open) * 4)


@model
def salesman(p: Any) -> None:
    far = p.cp_array(
        [[0, 3, 4, 2, 7], [3, 0, 4, 6, 3], [4, 4, 0, 5, 8], [2, 6, 5, 0, 6], [7, 3, 8, 6, 0]]
    )
    x = p.VarArray(size=5, dom=range(5), id="x")
    d = p.VarArray(size=5, dom=range(9), id="d")
    p.satisfy(p.AllDifferent(x), x[0] == 0, [far[x[i], x[(i + 1) % 5]] == d[i] for i in range(5)])
    p.minimize(p.Sum(d))


@model
def fewest_colours(p: Any) -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]
    x = p.VarArray(size=6, dom=range(6), id="x")
    p.satisfy(x[i] != x[j] for i, j in edges)
    p.minimize(p.Maximum(x))


@model
def photograph(p: Any) -> None:
    wishes = [(0, 2), (1, 4), (2, 3), (3, 0), (4, 2), (1, 0)]
    x = p.VarArray(size=5, dom=range(5), id="x")
    p.satisfy(p.AllDifferent(x))
    p.maximize(p.Sum(p.abs(x[i] - x[j]) == 1 for i, j in wishes))


@model
def low_autocorrelation(p: Any) -> None:
    n = 7
    x = p.VarArray(size=n, dom={-1, 1}, id="x")
    c = p.VarArray(size=n - 1, dom=range(-n, n + 1), id="c")
    p.satisfy(p.Sum(x[i] * x[i + k + 1] for i in range(n - k - 1)) == c[k] for k in range(n - 1))
    p.minimize(p.Sum(c[k] * c[k] for k in range(n - 1)))


@model
def no_way_at_all(p: Any) -> None:
    x = p.VarArray(size=4, dom=range(3), id="x")
    p.satisfy(p.AllDifferent(x[:3]), p.Sum(x[:3]) != 3)
    p.minimize(x[3])


@model
def best_of_an_expression(p: Any) -> None:
    x, y = p.Var(range(10), id="x"), p.Var(range(10), id="y")
    p.satisfy(x + y <= 11, x != y)
    p.maximize(x * y - p.abs(x - y))
