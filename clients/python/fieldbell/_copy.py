"""A copy of a study in an SQLite file, kept from its feed of changes. `npm run replicate` keeps the same tables."""

import json
import os
import sqlite3
from contextlib import closing
from typing import Any, Union

from ._service import ProblemError, Service

_SCHEMA = """
create table if not exists thing (study text, kind text, identifier text, state text, body text,
  primary key (study, kind, identifier)) without rowid;
create table if not exists place (study text primary key, next integer) without rowid;
"""
_PUT = """insert into thing values (?, ?, ?, ?, ?)
  on conflict do update set state = excluded.state, body = excluded.body"""


def sync(service: Service, study: str, path: Union[str, "os.PathLike[str]"], anew: bool) -> int:
    # Transactions are begun by hand: a page and the place after it are one.
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.executescript(_SCHEMA)
        if anew:
            _forget(copy, study)
        count = 0
        while True:
            known = _place(copy, study)
            query = {"after": str(known), "limit": "500", "include": "body"}
            try:
                page = service.document(f"/investigation/{study}/changes", query)
            except ProblemError as problem:
                if known == 0 or not _is_of_another_part(problem):
                    raise
                # Nothing of the former part stays.
                _forget(copy, study)
                continue
            _keep(copy, study, known, page)
            count += len(page["changes"])
            if page["next"] >= page["latest"]:
                return count


def _keep(copy: sqlite3.Connection, study: str, known: int, page: Any) -> None:
    copy.execute("begin immediate")
    try:
        if _place(copy, study) != known:
            raise RuntimeError("Another process keeps this copy.")
        for change in page["changes"]:
            key = (study, change["kind"], change["identifier"])
            if change.get("body") is None:
                copy.execute("delete from thing where study = ? and kind = ? and identifier = ?", key)
            else:
                body = json.dumps(change["body"], ensure_ascii=False, separators=(",", ":"))
                copy.execute(_PUT, (*key, change["state"], body))
        copy.execute(
            "insert into place values (?, ?) on conflict do update set next = excluded.next", (study, page["next"])
        )
        copy.execute("commit")
    except BaseException:
        copy.execute("rollback")
        raise


def _is_of_another_part(problem: ProblemError) -> bool:
    """Somebody's group, or the scope of the program, has changed."""
    texts = [problem.detail or "", *(error.get("detail", "") for error in problem.errors)]
    return problem.code == "request.invalid" and any("The part of the study that you see" in text for text in texts)


def _place(copy: sqlite3.Connection, study: str) -> int:
    """The sequence of the last change in the copy; 0 for a new one."""
    row = copy.execute("select next from place where study = ?", (study,)).fetchone()
    return 0 if row is None else row[0]


def _forget(copy: sqlite3.Connection, study: str) -> None:
    copy.execute("begin immediate")
    copy.execute("delete from thing where study = ?", (study,))
    copy.execute("delete from place where study = ?", (study,))
    copy.execute("commit")
