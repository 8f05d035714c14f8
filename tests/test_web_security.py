"""What strangers may do on the page, and what they may not."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette")

import woodstock
from effort import effort
from web_asgi import Loop, Reply, looping
from woodstock.web.options import PageLimits, WebOptions, WebOptionsError, is_loopback
from woodstock.web.security import POLICY
from woodstock.web.shelf import RecordShelf
from woodstock.web.stores import tournament

TOKEN = "a-token-that-nobody-knows"

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "]]>&<!--",
    "\x00\x01\x1b[31m\u202e\u2028\r\nX: y",
    "\U0001f600" * 20,
)
"""Names that would do harm where a page takes them for markup."""

RULES = """
(role <b>x</b>) (role javascript:alert)
(init (cell 1 1 <script>alert</script>)) (init (cell 1 2 "onload=alert")) (init (cell 2 1 ]]>))
(init (cell 2 2 &lt)) (init (control <b>x</b>))
(<= (legal <b>x</b> (mark ?x ?y </svg><script>)) (true (cell ?x ?y ?any)))
(legal javascript:alert noop)
(<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)))
(<= (next (control <b>x</b>)) (true (control <b>x</b>)))
(<= terminal (true never))
(goal <b>x</b> 50) (goal javascript:alert 50)
"""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a-folder-of-records")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, records: Path) -> Iterator[Loop]:
    """A page for this machine alone."""
    folder = tmp_path_factory.mktemp("a-folder-of-matches")
    with looping(
        WebOptions(folder=folder, records=records, limits=PageLimits(thinkers=1))
    ) as found:
        yield found


@pytest.fixture(scope="module")
def remote() -> Iterator[Loop]:
    """A page that others can reach."""
    with looping(WebOptions(host="0.0.0.0", token=TOKEN)) as found:
        yield found


# The door ---------------------------------------------------------------------------------------


def test_pages_carry_a_policy_that_lets_nothing_foreign_in(page: Loop) -> None:
    for path in (
        "/",
        "/static/app.js",
        "/api/about",
        "/nowhere",
        "/api/games/none",
        "/static/none",
    ):
        headers = page.ask("GET", path).headers
        assert headers["content-security-policy"] == POLICY, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_no_script_or_style_stands_in_the_page(page: Loop) -> None:
    text = page.ask("GET", "/").body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    assert not re.search(r"(src|href)=\"(?!/|#)", text)


NOT_OURS = ["evil.example", "127.evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example"]
NOT_OURS += ["localhost.evil.example", "[", "", "0.0.0.0:8080", "[::2]:8080"]


@pytest.mark.parametrize("host", NOT_OURS)
def test_a_name_that_points_here_is_not_ours(page: Loop, host: str) -> None:
    for path in ("/", "/api/games", "/static/app.js"):
        assert page.ask("GET", path, headers={"host": host}).status == 421
    assert page.ask("POST", "/api/position", {"game": "nim"}, {"host": host}).status == 421


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "localhost", "[::1]:8080", "127.3.4.5", "LOCALHOST:1"]
)
def test_our_own_names_are(page: Loop, host: str) -> None:
    assert page.ask("GET", "/", headers={"host": host}).status == 200


def test_an_address_is_loopback_or_it_is_none() -> None:
    assert not is_loopback("127.attacker.example")
    assert not is_loopback("127.1")
    assert is_loopback("127.255.0.1")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9090"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}, 404),
    ],
)
def test_requests_of_other_sites_are_refused(
    page: Loop, headers: dict[str, str], status: int
) -> None:
    posts = [path for path, methods in routes(page) if "POST" in methods]
    assert len(posts) > 8
    for path in posts:
        found = page.ask("POST", path, {"game": "none", "text": 1}, headers)
        assert found.status in ((status,) if status != 404 else (400, 404)), path


def routes(page: Loop) -> list[tuple[str, set[str]]]:
    """Path and methods of everything there is."""
    found: list[Any] = [*page.page.app.routes]
    return [
        (re.sub(r"\{.*?\}", "none", one.path), getattr(one, "methods", None) or {"GET"})
        for one in found
    ]


def test_another_site_can_open_no_stream_and_ask_for_no_data(page: Loop) -> None:
    for path in ("/api/games", "/api/watch/x/events", "/api/tables/x/events", "/api/records"):
        assert page.ask("GET", path, headers={"sec-fetch-site": "cross-site"}).status == 403
    assert page.ask("GET", "/", headers={"sec-fetch-site": "cross-site"}).status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"])
def test_other_methods_are_refused(page: Loop, method: str) -> None:
    assert page.ask(method, "/api/about").status == 405


def test_there_are_no_websockets(page: Loop) -> None:
    async def knock(path: str) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            said.append(message)

        scope = {"type": "websocket", "path": path, "headers": [], "query_string": b""}
        await page.page.app(scope, receive, send)
        return said

    for path in ("/", "/static/app.js", "/api/tables/x/events"):
        assert [one["type"] for one in page.run(knock(path))] == ["websocket.close"]


# The token --------------------------------------------------------------------------------------


def all_paths(page: Loop) -> list[tuple[str, str]]:
    """Method and path of everything that can be asked."""
    found = [
        (method, "/static/app.js" if path == "/static" else path)
        for path, methods in routes(page)
        for method in sorted(methods)
    ]
    assert len(found) > 40
    return found


def test_a_page_that_others_reach_asks_everybody_for_the_token(remote: Loop) -> None:
    wrong: list[dict[str, str]] = [
        {},
        {"cookie": "woodstock=guess"},
        {"cookie": "woodstock="},
        {"cookie": "woodstock"},
    ]
    wrong += [
        {"cookie": f"woodstock={TOKEN}x"},
        {"cookie": f"other={TOKEN}"},
        {"cookie": "=;=\x01"},
    ]
    wrong += [{"authorization": f"Bearer {TOKEN}"}, {"x-token": TOKEN}]
    for method, path in all_paths(remote):
        body: object = {} if method == "POST" else None
        for headers in wrong if path in ("/", "/api/tables/none/events") else wrong[:2]:
            found = remote.ask(method, path, body, headers)
            assert found.status == 401, (method, path, headers)
            assert TOKEN.encode() not in found.body
        assert remote.ask(method, f"{path}?token=guess", body).status == 401
        assert remote.ask(method, f"{path}?token=", body).status == 401
        known = remote.ask(method, path, body, {"cookie": f"a=b; woodstock={TOKEN}"})
        assert known.status != 401, (method, path)


def test_the_token_in_an_address_becomes_a_cookie(remote: Loop) -> None:
    found = remote.ask("GET", f"/play/x?key=a%26b&token={TOKEN}&game=nim")
    assert found.status == 303
    assert found.headers["location"] == "/play/x?key=a%26b&game=nim"
    assert re.fullmatch(
        rf"woodstock={TOKEN}; HttpOnly; SameSite=(Lax|Strict); Path=/", found.headers["set-cookie"]
    )


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "/%5Cevil.example", "/%5C/evil.example", "/%0d%0aX:%20y", "/%09/evil"],
)
def test_the_token_leads_nowhere_else(remote: Loop, path: str) -> None:
    location = remote.ask("GET", f"{path}?token={TOKEN}").headers["location"]
    assert re.match(r"/(?![/\\])", location)
    assert not re.search(r"[\s\\]", location)


@pytest.mark.parametrize(
    "token", [None, "", "short", "with a blank", "semi;colon", 'quote"d-token']
)
def test_a_page_for_others_needs_a_token_worth_its_name(token: str | None) -> None:
    with pytest.raises(WebOptionsError):
        WebOptions(host="0.0.0.0", token=token)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.3", "my-machine"])
def test_the_command_makes_a_token_where_others_can_reach_it(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from woodstock.cli import web

    made: list[WebOptions] = []

    class Stop(Exception):
        pass

    def create(options: WebOptions) -> None:
        made.append(options)
        raise Stop

    class Socket:
        def getsockname(self) -> tuple[str, int]:
            return "", 1

    monkeypatch.setattr("woodstock.web.app.create_app", create)
    monkeypatch.setattr(web, "_listen", lambda *_: Socket())
    with pytest.raises(Stop):
        web.command(host=host, show=False)
    assert made[0].remote
    assert len(made[0].token or "") >= 20


# What is said -----------------------------------------------------------------------------------

SECRETS = [str(Path(woodstock.__file__).parent), str(Path.home()), str(Path.cwd()), "site-packages"]
SECRETS += ["Traceback", "a-folder-of-"]


def check(found: Reply) -> Reply:
    """What holds of every answer: nothing of the machine, nothing of ours gone wrong."""
    assert found.status != 500, found.body[:500]
    assert found.headers["content-security-policy"] == POLICY
    text = found.body.decode("utf-8")
    for secret in SECRETS:
        if len(secret) > 5:
            assert secret not in text, secret
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_come_back_as_data(page: Loop, records: Path, name: str) -> None:
    record: dict[str, Any] = {
        "matchId": name,
        "gameMetaURL": name,
        "moves": [["noop", "noop"]],
        "roles": [name, name],
    }
    record |= {"playerNamesFromHost": [name, name], "errors": [[name, name]]}
    added = check(page.ask("POST", "/api/records", {"name": name, "text": json.dumps(record)}))
    key = added.json["records"][0]["id"]
    shown = check(page.ask("GET", f"/api/records/{key}"))
    assert shown.json["name"] == name
    assert shown.headers["content-type"] == "application/json"
    assert check(page.ask("GET", "/api/records")).json["records"]
    seats = {"x": {"kind": "person", "name": name}}
    made = check(page.ask("POST", "/api/tables", {"game": "tic-tac-toe", "seats": seats})).json
    at = f"/api/tables/{made['table']}"
    seen = check(page.ask("GET", f"{at}?key={made['owner']}")).json
    assert seen["seats"]["x"]["name"] == name.strip()[:40]
    check(page.ask("GET", f"{at}/record?key={made['owner']}"))
    for move in ({"role": name}, {"role": "x", "ply": 0, "move": name}, {"role": "x", "ply": name}):
        check(page.ask("POST", f"{at}/move", {**move, "key": made["owner"]}))
    for asked in ({"game": name}, {"game": "nim", "line": [[name]]}, {"game": "nim", "role": name}):
        check(page.ask("POST", "/api/position", asked))
    check(page.ask("POST", "/api/inside", {"game": "nim", "what": name}))
    check(page.ask("POST", "/api/tables", {"game": "nim", "seats": {name: {"kind": "person"}}}))
    seat = {"kind": "player", "player": name}
    check(page.ask("POST", "/api/tables", {"game": "nim", "seats": {"player1": seat}}))


def test_files_with_hostile_names_can_be_listed(page: Loop, records: Path) -> None:
    names = [
        b"<img src=x onerror=alert(1)>.json",
        b"caf\xe9.json",
        b"new\nline.jsonl",
        b"\xff.sqlite",
    ]
    for name in names:
        Path(os.fsdecode(os.fsencode(records) + b"/" + name)).write_text('{"moves": [["noop"]]}')
    found = check(page.ask("GET", "/api/records")).json["records"]
    assert {"<img src=x onerror=alert(1)>.json", "new\nline.jsonl"} <= {
        one["file"] for one in found
    }
    for one in found:
        if one["id"]:
            assert check(page.ask("GET", f"/api/records/{one['id']}")).status == 200
    assert check(page.ask("GET", "/api/watch")).json
    for path in records.iterdir():
        path.unlink()


def test_hostile_symbols_stay_words_of_a_drawing(page: Loop) -> None:
    found = check(page.ask("POST", "/api/rules", {"text": RULES})).json
    assert found["ok"], found
    root = ElementTree.fromstring(found["view"]["svg"])
    tags = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert tags <= {"svg", "g", "title", "rect", "circle", "path", "polygon", "text"}
    for node in root.iter():
        assert not [name for name in node.attrib if name.startswith("on") or "href" in name]
    assert "<script>alert</script>" in "".join(root.itertext())


def test_a_file_that_players_may_read_cannot_be_named(page: Loop, tmp_path: Path) -> None:
    for player in (
        f"uct:values={tmp_path}",
        "woodstock:values=a.values",
        "uct:VALUES=x",
        "../x",
        "a/b",
    ):
        seats = {"x": {"kind": "player", "player": player}}
        body = {"game": "tic-tac-toe", "seats": seats}
        assert check(page.ask("POST", "/api/tables", body)).status == 400
        made = page.ask("POST", "/api/analyse", {"game": "nim", "player": player, "seconds": 0.1})
        if made.status == 200:
            stream = page.open("GET", f"/api/jobs/{made.json['job']}/events")
            name, said = page.run(stream.event("done", "failed"))
            assert name == "failed", said
            assert str(tmp_path) not in str(said)
            page.run(stream.close())


OUTSIDE = [
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2fapp.py",
    "/static//etc/passwd",
]
OUTSIDE += ["/api/games/..%2f..%2fpyproject.toml", "/api/games/%2fetc", "/api/rules/..%2f..%2fx"]
OUTSIDE += ["/api/records/..%2f..%2fetc-0", "/api/tables/..%2fx?key=a", "/api/watch/..%2fx/events"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out(page: Loop, path: str) -> None:
    assert check(page.ask("GET", path)).status in (400, 404)


# Keys -------------------------------------------------------------------------------------------


def test_keys_are_long_random_and_of_one_table(page: Loop) -> None:
    made = [page.ask("POST", "/api/tables", {"game": "tic-tac-toe"}).json for _ in range(8)]
    keys = [key for one in made for key in (one["owner"], one["watch"], *one["keys"].values())]
    assert len(set(keys)) == len(keys) == 32
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{32}", key) for key in keys)
    bits = "".join(f"{ord(sign):07b}" for key in keys for sign in key)
    assert 0.4 < bits.count("1") / len(bits) < 0.7
    at = f"/api/tables/{made[0]['table']}"
    for key in ("", "x", *keys[4:], keys[0][:-1], keys[0].swapcase(), None, 1, ["a"], {"a": 1}):
        assert page.ask("POST", f"{at}/undo", {"key": key}).status == 403
    for path in ("", "/events", "/record"):
        assert page.ask("GET", f"{at}{path}?key={keys[5]}").status == 403
        assert page.ask("GET", f"{at}{path}").status == 403


def test_a_link_plays_its_own_role_only(page: Loop) -> None:
    made = page.ask("POST", "/api/tables", {"game": "tic-tac-toe"}).json
    at = f"/api/tables/{made['table']}"
    body = {"ply": 0, "move": "(mark 1 1)", "role": "x"}
    for key in (made["keys"]["o"], made["watch"]):
        assert page.ask("POST", f"{at}/move", {**body, "key": key}).status == 403
        assert page.ask("POST", f"{at}/resign", {"key": key, "role": "x"}).status == 403
        assert page.ask("POST", f"{at}/hint", {"key": key, "role": "x"}).status == 403
        assert page.ask("POST", f"{at}/seats", {"key": key, "seats": {}}).status == 403
        told = page.ask("GET", f"{at}?key={key}").json
        assert not told["links"]
        assert told["watch"] is None
        assert made["owner"] not in json.dumps(told)
        assert made["keys"]["x"] not in json.dumps(told)
    assert page.ask("POST", f"{at}/move", {**body, "key": made["keys"]["x"]}).status == 200


# Limits -----------------------------------------------------------------------------------------


def test_uploads_are_bounded(page: Loop) -> None:
    limits = PageLimits()
    too_long = b'{"text": "' + b"x" * limits.upload_bytes + b'"}'
    for path in ("/api/rules", "/api/records", "/api/tables", "/api/position"):
        assert page.ask("POST", path, too_long).status == 413
        # And where nobody says how long it is.
        assert page.ask("POST", path, too_long, {"content-length": "0"}).status == 413
    for length in ("-1", "1e9", "9" * 30, "x"):
        found = page.ask("POST", "/api/position", {}, {"content-length": length})
        assert found.status == 400
    long = {"text": "x" * (limits.rules_bytes + 1)}
    assert page.ask("POST", "/api/rules", long).status == 400


@pytest.mark.parametrize(
    "body",
    [
        b'{"game": NaN}',
        b'{"game": Infinity}',
        b'{"game": "\\ud800"}',
        b'{"key": "\\ud800"}',
        b"\xff",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"game": "nim", "line": ' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"game": "nim", "seconds": 1' + b"0" * 400 + b"}",
        b'{"game": "nim", "seed": 1' + b"0" * 5000 + b"}",
        b'{"game": "' + b"n" * 1_000_000 + b'"}',
        b"null",
        b"",
    ],
)
def test_what_makes_no_sense_is_refused(page: Loop, body: bytes) -> None:
    made = page.ask("POST", "/api/tables", {"game": "nim"}).json
    paths = ["position", "analyse", "inside", "rules", "tables", "records"]
    for what in [*paths, f"tables/{made['table']}/move"]:
        path = f"/api/{what}"
        found = check(page.ask("POST", path, body))
        assert 400 <= found.status < 500 or b"seconds" in body, path
    assert page.ask("POST", "/api/position", {"game": "nim"}).status == 200


def test_streams_are_bounded(tmp_path: Path) -> None:
    with looping(WebOptions(limits=PageLimits(sessions=3, thinkers=1))) as page:
        made = page.ask("POST", "/api/tables", {"game": "nim"}).json
        path = f"/api/tables/{made['table']}/events?key={made['owner']}"
        streams = [page.open("GET", path) for _ in range(3)]
        for stream in streams:
            page.run(stream.event("table"))
        assert page.ask("GET", path).status == 503
        page.run(streams[0].close())
        again = page.open("GET", path)
        page.run(again.event("table"))
        for stream in (again, *streams[1:]):
            page.run(stream.close())


def test_pasted_rules_of_a_match_are_not_crowded_out(tmp_path: Path) -> None:
    options = WebOptions(folder=tmp_path, limits=PageLimits(rulesheets=2, thinkers=1))
    text = woodstock.games.rules_text("nim")
    with looping(options) as page:
        mine = page.ask("POST", "/api/rules", {"text": f"; mine\n{text}"}).json["digest"]
        made = page.ask("POST", "/api/tables", {"game": f"sha256:{mine}"}).json
        for number in range(3):
            page.run(asyncio.to_thread(page.page.app.state.rules.keep, f"; {number}\n{text}"))
    with looping(options) as page:
        assert page.ask("GET", f"/api/rules/{mine}").status == 404
        at = f"/api/tables/{made['table']}?key={made['owner']}"
        assert page.ask("GET", at).status == 200


def test_a_list_of_records_crowds_nothing_out(page: Loop) -> None:
    rules = page.page.app.state.rules
    kept = page.run(asyncio.to_thread(rules.keep, "(role mine)"))
    records = [{"moves": [["noop"]], "rules": f"(role r{number})"} for number in range(480)]
    added = page.ask("POST", "/api/records", {"name": "x", "text": json.dumps(records)}).json
    assert len(page.ask("GET", "/api/records").json["records"]) >= 400
    assert len(rules._pasted) < 100
    one = page.ask("GET", f"/api/records/{added['records'][-1]['id']}").json
    assert page.ask("GET", f"/api/rules/{one['game'].partition(':')[2]}").status == 200
    assert rules.find(kept.ref).text == "(role mine)"


# Tournaments of others --------------------------------------------------------------------------


def store(path: Path, name: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(
        "PRAGMA journal_mode=WAL;"
        "CREATE TABLE matches(id, game, round, number, plies, begun, seconds, notes, moves, scale);"
        "CREATE TABLE seats(match, seat, role, participant, goal, late, illegal, failed);"
        "CREATE TABLE problems(reason, at); CREATE TABLE games(key, facts);"
    )
    db.execute("INSERT INTO matches VALUES(?, ?, 1, 1, 2, 0.0, 1.0, '[]', x'', 100)", (name, name))
    seat = (name, 0, name, name, 50, 0, 0, 0)
    db.execute("INSERT INTO seats VALUES(?, ?, ?, ?, ?, ?, ?, ?)", seat)
    db.execute("INSERT INTO problems VALUES(?, 0)", (name,))
    db.commit()
    db.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_participants_of_a_tournament_are_data(page: Loop, records: Path, name: str) -> None:
    path = records / "t.sqlite"
    store(path, name)
    (records / "t.toml").write_text("x = " + "[" * 3000 + "]" * 3000)
    before = sorted(records.iterdir())
    [shown] = [one for one in page.ask("GET", "/api/watch").json if one["kind"] == "tournament"]
    stream = page.open("GET", f"/api/watch/{shown['id']}/events")
    kind, told = page.run(stream.event())
    page.run(stream.close())
    assert kind == "tournament"
    assert told["standings"][0]["name"] == name
    check(page.ask("GET", f"/api/records/{told['last'][0]['id']}"))
    assert sorted(records.iterdir()) == before  # nothing is left beside a file of others
    for one in before:
        one.unlink()


def test_a_folder_may_be_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path / "t.sqlite", "somebody")
    monkeypatch.chdir(tmp_path)
    [file] = RecordShelf(Path()).files()
    assert tournament(file.path)["standings"][0]["name"] == "somebody"


# Anything at all --------------------------------------------------------------------------------

WORDS = [
    "nim",
    "x",
    "o",
    "player1",
    "noop",
    "(take a 1)",
    "uct",
    "plan",
    "review",
    "network",
    "why",
]
WORDS += ["person", "player", "size", "symmetries", "belief", "analyse", "", "sha256:00", *HOSTILE]
KEYS = ["game", "line", "fluents", "role", "ply", "move", "key", "seats", "seed", "seconds", "what"]
KEYS += [
    "player",
    "kind",
    "name",
    "text",
    "atom",
    "focus",
    "part",
    "goal",
    "horizon",
    "start_seconds",
]
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats(allow_nan=True)
    | st.text(max_size=9)
)
leaves |= st.sampled_from(WORDS)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, "x", "o"]), inner, max_size=4)
    ),
    max_leaves=12,
)
bodies = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), values, max_size=6),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=6).map(lambda d: {**d, "game": "nim"}),
    values,
    st.binary(max_size=30),
)
POSTS = [
    "/api/position",
    "/api/tables",
    "/api/inside",
    "/api/analyse",
    "/api/records",
    "/api/rules",
]
POSTS += [f"/api/tables/TABLE/{what}" for what in ("move", "undo", "resign", "seats", "hint")]
POSTS += ["/api/jobs/JOB/stop"]
GETS = ["/", "/api/games/{}", "/api/games/{}/picture.svg", "/api/rules/{}", "/api/records/{}"]
GETS += ["/api/tables/{}", "/api/tables/{}/record?key={}", "/api/jobs/{}/events", "/static/{}"]
GETS += ["/api/watch/{}/events", "/play/{}", "/record/{}", "/{}"]


@settings(max_examples=effort(150, 5000), deadline=None)
@given(path=st.sampled_from(POSTS), body=bodies, mine=st.booleans())
def test_whatever_is_sent_is_answered(page: Loop, path: str, body: Any, mine: bool) -> None:
    made = _table(page)
    if isinstance(body, dict) and mine:
        body = {**body, "key": made["owner"]}
    if isinstance(body, dict):
        body.pop("seconds", None) if path.endswith(("hint", "analyse")) else None
        body |= {"seconds": 0.05} if path.endswith(("hint", "analyse")) else {}
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    found = check(page.ask("POST", path.replace("TABLE", made["table"]), body))
    if path == "/api/analyse" and found.status == 200:
        page.ask("POST", f"/api/jobs/{found.json['job']}/stop", {})


_tables: dict[int, Any] = {}


def _table(page: Loop) -> Any:
    if id(page) not in _tables:
        _tables.clear()
        _tables[id(page)] = page.ask("POST", "/api/tables", {"game": "nim"}).json
    return _tables[id(page)]


@settings(max_examples=effort(150, 5000), deadline=None)
@given(
    path=st.sampled_from(GETS),
    word=st.text(max_size=20) | st.sampled_from(WORDS),
    odd=st.text(max_size=8),
)
def test_whatever_is_asked_is_answered(page: Loop, path: str, word: str, odd: str) -> None:
    from urllib.parse import quote

    headers = dict.fromkeys(("cookie", "accept", "range", "if-none-match"), odd)
    check(page.ask("GET", path.replace("{}", quote(word, safe="")), headers=headers))
