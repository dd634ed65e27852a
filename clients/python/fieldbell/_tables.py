"""Tables: DataFrames where pandas is installed, otherwise lists of dicts."""

import json
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from . import _values
from ._codebook import Codebook, Item


class Column(NamedTuple):
    name: str
    #: text, instant, wall, integer, number, boolean, choice or object
    type: str
    values: List[Any]
    #: Of a choice, in order.
    categories: Sequence[str] = ()


class Rows(List[Dict[str, Any]]):
    """Rows without pandas. `attrs` has what a DataFrame's has."""

    attrs: Dict[str, Any]


def has_pandas() -> bool:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


def table(columns: Sequence[Column], attrs: Mapping[str, Any], as_frame: bool) -> Any:
    if as_frame:
        return _frame(columns, attrs)
    names = [column.name for column in columns]
    rows = Rows(dict(zip(names, row)) for row in zip(*(column.values for column in columns)))
    rows.attrs = dict(attrs)
    return rows


def _frame(columns: Sequence[Column], attrs: Mapping[str, Any]) -> Any:
    import pandas

    def series(column: Column) -> Any:
        values = column.values
        if column.type == "instant":
            return pandas.to_datetime(pandas.Series(values, dtype=object), utc=True).astype("datetime64[ns, UTC]")
        if column.type == "wall":
            return pandas.to_datetime(pandas.Series(values, dtype=object)).astype("datetime64[ns]")
        if column.type == "choice":
            return pandas.Series(pandas.Categorical(values, categories=list(column.categories)))
        dtype = {"integer": "Int64", "boolean": "boolean", "number": "float64", "text": "string"}.get(column.type)
        return pandas.Series(values, dtype=dtype or object)

    frame = pandas.DataFrame({column.name: series(column) for column in columns})
    frame.attrs.update(attrs)
    return frame


class Answers:
    """The answers of rows as columns `items.<item>`, typed by the codebook."""

    def __init__(self, codebook: Codebook, survey: Optional[str], labels: bool, choices: str):
        self._items = codebook.items(survey)
        self._labels = labels
        self._choices = choices

    def attrs(self) -> Dict[str, Any]:
        """Questions of the columns, and the labels of a scale's points."""
        return {
            "questions": {f"items.{item.identifier}": item.question for item in self._items},
            "labels": {
                f"items.{item.identifier}": {int(value): label for value, label in item.options.items()}
                for item in self._items
                if item.kind == "scale" and item.options
            },
        }

    def columns(self, rows: Sequence[Mapping[str, Any]]) -> List[Column]:
        known = {item.identifier for item in self._items}
        other = [
            {name: text for name, text in (row.get("items") or {}).items() if name not in known} for row in rows
        ]
        columns: List[Column] = []
        for item in self._items:
            columns += self._columns_of(item, rows, other)
        columns.append(Column("other", "text", [json.dumps(row, ensure_ascii=False) if row else None for row in other]))
        return columns

    def _columns_of(
        self, item: Item, rows: Sequence[Mapping[str, Any]], other: List[Dict[str, str]]
    ) -> List[Column]:
        name, kind = f"items.{item.identifier}", item.kind
        values: List[Any] = []
        for row, rest in zip(rows, other):
            text = (row.get("items") or {}).get(item.identifier)
            try:
                values.append(_values.answer(kind, text))
            except ValueError:
                # An answer to an earlier wording, whose content nobody checked.
                rest[item.identifier] = text or ""
                values.append(None)
        shown = [(row.get("labels") or {}).get(item.identifier) for row in rows]
        if kind == "choice":
            if self._labels:
                values = [None if v is None else item.label(v, label) for v, label in zip(values, shown)]
            categories = dict.fromkeys(item.labels() if self._labels else item.options)
            categories.update(dict.fromkeys(value for value in values if value is not None))
            return [Column(name, "choice", values, list(categories))]
        if kind == "choices" and self._choices == "columns":
            options = dict.fromkeys(item.options)
            options.update(dict.fromkeys(value for chosen in values for value in chosen or ()))
            return [
                Column(f"{name}/{option}", "integer", [None if v is None else int(option in v) for v in values])
                for option in options
            ]
        if kind == "choices" and self._labels:
            values = [None if v is None else item.chosen(v, label) for v, label in zip(values, shown)]
        return [Column(name, _TYPES.get(kind, "object"), values)]


_TYPES = {"text": "text", "number": "number", "scale": "integer", "yes-no": "boolean"}
