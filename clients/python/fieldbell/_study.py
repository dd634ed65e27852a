"""A study, and what is read of it."""

import datetime
import json
import os
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _values
from ._codebook import Codebook
from ._copy import sync
from ._service import Service
from ._tables import Answers, Column, has_pandas, table

Date = Union[str, datetime.date, None]
Row = Mapping[str, Any]
#: Values by the name of a property: `{"site": "Lyon"}`, or several of one, `{"site": ["Lyon", "Paris"]}`.
Properties = Optional[Mapping[str, Union[str, Sequence[str]]]]

_TEXTS = ("identifier", "survey", "surveyName", "case", "responder", "code", "name")


class Study:
    """
    A study of a service, read with a program's token (an argument, or FIELDBELL_TOKEN of the environment).

    Tables are DataFrames if pandas is installed, otherwise lists of dicts; `frames` decides it. An answer that was not given is
    missing; an empty text is an answer.
    """

    def __init__(
        self,
        url: str,
        study: str,
        token: Optional[str] = None,
        *,
        frames: Optional[bool] = None,
        retries: int = 4,
        timeout: float = 60.0,
    ):
        chosen = token or os.environ.get("FIELDBELL_TOKEN")
        if not chosen:
            raise ValueError("Expected a token: token=, or FIELDBELL_TOKEN in the environment.")
        if not re.fullmatch(r"(?:investigation/)?[0-9a-f]{32}", study):
            raise ValueError("Expected the identifier of a study: 32 digits and letters from a to f.")
        self.identifier = study[-32:]
        self._service = Service(url, chosen, retries, timeout)
        self._frames = has_pandas() if frames is None else frames

    def __repr__(self) -> str:
        return f"Study({self.identifier!r})"

    def responses(
        self,
        survey: Optional[str] = None,
        labels: bool = True,
        choices: str = "lists",
        status: Optional[str] = None,
        properties: Properties = None,
    ) -> Any:
        """
        The responses, in order of creation, of one survey (its identifier or its name) or of all.

        `labels`: options by the labels that they had when they were answered, otherwise by their values. `choices`: "lists", or
        "columns" with 1 and 0 for each option. `status`: active, archived or all, as the list of the service has it.
        `properties`: of cases with these alone, such as {"site": "Lyon"}. Properties of the case are columns.
        """
        _check_choices(choices)
        identifier = self._survey(survey)
        query = {
            "survey": identifier,
            "status": status,
            "labels": "true" if labels else None,
            "property": _pairs(properties),
        }
        rows = self._service.rows(self._path("/responses"), query)
        # Afterwards, so that it has the items of all rows.
        codebook = self._codebook()
        names = codebook.survey_names()
        rows = [{**row, "surveyName": names.get(row["survey"])} for row in rows]
        given = [row.get("givenAt") or row["creation"] for row in rows]
        answers = Answers(codebook, identifier, labels, choices)
        columns = [
            *(_column(name, "text", rows) for name in _TEXTS),
            *_properties(rows),
            Column("givenAt", "instant", [_values.instant(at) for at in given]),
            _column("creation", "instant", rows, _values.instant),
            Column("revisedAt", "instant", [_unix(row["revisionUNIX"]) for row in rows]),
            _column("revisionIdentifier", "text", rows),
            _column("notification", "text", rows),
            _column("late", "boolean", rows),
            Column("outdated", "boolean", [bool(row.get("outdated")) for row in rows]),
            _column("status", "text", rows),
            _column("lockedAt", "instant", rows, _values.instant),
            *answers.columns(rows),
            _column("reasons", "text", rows, lambda reasons: json.dumps(reasons) if reasons else None),
        ]
        return table(columns, answers.attrs(), self._frames)

    def occurrences(
        self,
        from_: Date = None,
        to: Date = None,
        survey: Optional[str] = None,
        labels: bool = True,
        choices: str = "lists",
        user: Optional[str] = None,
        properties: Properties = None,
    ) -> Any:
        """
        A row for each prompt that is over, missed ones included: by person, then time. `from_` and `to` are dates (both
        included) of `on`. With `survey`, its answers are columns as in `responses`, missing where the prompt was missed.

        `dueLocal` is the date and the time that the person's clock showed at `dueAt`. `properties`: of people with these alone,
        as in `responses`.
        """
        _check_choices(choices)
        identifier = self._survey(survey)
        query = {
            "from": _text(from_),
            "to": _text(to),
            "survey": identifier,
            "user": user,
            "labels": "true" if labels and identifier else None,
            "property": _pairs(properties),
        }
        rows = self._service.rows(self._path("/occurrences"), query)
        codebook = self._codebook()
        names = codebook.survey_names()
        due = [_values.instant(row["dueAt"]) for row in rows]
        columns = [
            *(_column(name, "text", rows) for name in ("identifier", "user", "code", "survey")),
            *_properties(rows),
            Column("surveyName", "text", [names.get(row["survey"]) for row in rows]),
            _column("on", "object", rows, _values.date),
            *(_column(name, "integer", rows) for name in ("slot", "counter", "revision")),
            _column("timeZone", "text", rows),
            Column("dueAt", "instant", due),
            Column("dueLocal", "wall", [_values.wall_clock(at, row["timeZone"]) for at, row in zip(due, rows)]),
            *(_column(name, "instant", rows, _values.instant) for name in ("sentAt", "shownAt", "openedAt", "answeredAt")),
            _column("late", "boolean", rows),
            *(_column(name, "text", rows) for name in ("state", "reason")),
            _column("nudges", "integer", rows),
            _column("response", "text", rows),
        ]
        if identifier is None:
            return table(columns, {}, self._frames)
        answers = Answers(codebook, identifier, labels, choices)
        return table([*columns, *answers.columns(rows)], answers.attrs(), self._frames)

    def codebook(self) -> Any:
        """
        A row for each item and each span of time in which it was asked the same way; `to` is missing for the present wording.
        `options` is a list of values with labels.
        """
        rows = self._service.rows(self._path("/codebook"))
        columns = [
            *(_column(name, "text", rows) for name in ("survey", "surveyName", "item", "label", "kind")),
            _column("required", "boolean", rows),
            *(_column(name, "number", rows) for name in ("min", "max")),
            _column("options", "object", rows),
            _column("sets", "text", rows),
            *(_column(name, "instant", rows, _values.instant) for name in ("from", "to")),
        ]
        return table(columns, {}, self._frames)

    def sync(self, path: Union[str, "os.PathLike[str]"], anew: bool = False) -> int:
        """
        Brings a copy in an SQLite file up to date, deletions included, and returns the number of changes. The table `thing` has
        the study, its cases, responses, surveys and members as JSON. It goes on where it ended, also after an interruption.

        `anew` forgets the copy first, as is needed when the service was restored from a backup that is older than the copy
        (until then it is refused as request.invalid).
        """
        return sync(self._service, self.identifier, path, anew)

    def _path(self, rest: str) -> str:
        return f"/investigation/{self.identifier}{rest}"

    def _codebook(self) -> Codebook:
        return Codebook(self._service.rows(self._path("/codebook")))

    def _survey(self, survey: Optional[str]) -> Optional[str]:
        if survey is None or re.fullmatch("[0-9a-f]{32}", survey):
            return survey
        return self._codebook().survey(survey)


def _column(name: str, type: str, rows: Sequence[Row], read: Callable[[Any], Any] = lambda value: value) -> Column:
    values: List[Any] = [row.get(name) for row in rows]
    return Column(name, type, [None if value is None else read(value) for value in values])


def _properties(rows: Sequence[Row]) -> List[Column]:
    """A column for each property that a row has."""
    names = sorted({name for row in rows for name in row.get("properties") or {}})
    return [
        Column(f"property.{name}", "text", [(row.get("properties") or {}).get(name) for row in rows])
        for name in names
    ]


def _pairs(properties: Properties) -> Optional[List[str]]:
    """As the lists of the service take them: site:Lyon."""
    given = [
        f"{name}:{value}"
        for name, values in (properties or {}).items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    return given or None


def _check_choices(choices: str) -> None:
    if choices not in ("lists", "columns"):
        raise ValueError('Expected choices="lists" or choices="columns".')


def _text(date: Date) -> Optional[str]:
    if isinstance(date, datetime.datetime):
        date = date.date()
    return date.isoformat() if isinstance(date, datetime.date) else date


def _unix(seconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, _values.UTC)
