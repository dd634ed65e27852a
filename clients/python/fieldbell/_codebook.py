"""The codebook of a study: which kind and which options an item had, and when."""

from collections import Counter
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence

Row = Mapping[str, Any]


class Item:
    """An item of one survey or, if several have it, of all of them: its definitions, the latest first."""

    def __init__(self, identifier: str, definitions: Sequence[Row]):
        self.identifier = identifier
        self.definitions = definitions

    @property
    def kind(self) -> str:
        """The kind of all definitions; text if they differ, or if any text answers the item."""
        kinds = {definition["kind"] or "text" for definition in self.definitions}
        return kinds.pop() if len(kinds) == 1 else "text"

    @property
    def question(self) -> str:
        return self.definitions[0]["label"]

    @property
    def options(self) -> Dict[str, str]:
        """Values with their latest labels: the options of the latest definition first, then former ones."""
        options: Dict[str, str] = {}
        for definition in self.definitions:
            for value, label in _labels(definition).items():
                options.setdefault(value, label)
        return options

    def labels(self) -> List[str]:
        """Each label that an option has or had, in the order of `options`."""
        labels: Dict[str, None] = {}
        for definition in self.definitions:
            for name in _names(definition).values():
                labels.setdefault(name)
        return list(labels)

    def label(self, value: str, shown: Optional[str]) -> str:
        """
        The label of a value, which the service showed for the answer. Options of one definition that share a label are told
        apart by their values.
        """
        if shown is None:
            return value
        alike = any(
            _labels(definition).get(value) == shown and _names(definition)[value] != shown
            for definition in self.definitions
        )
        return f"{shown} [{value}]" if alike else shown

    def chosen(self, values: Sequence[str], shown: Optional[str]) -> List[str]:
        """
        The labels of an answer with several values, which the service showed joined by "; ". A label may have a semicolon of its
        own, so the definition is looked for whose labels join to that text.
        """
        if shown is None:
            return list(values)
        for definition in self.definitions:
            labels = _labels(definition)
            if "; ".join(labels.get(value, value) for value in values) == shown:
                names = _names(definition)
                return [names.get(value, value) for value in values]
        parts = shown.split("; ")
        return parts if len(parts) == len(values) else list(values)


def _labels(definition: Row) -> Dict[str, str]:
    return {option["value"]: option["label"] for option in definition["options"] or ()}


def _names(definition: Row) -> Dict[str, str]:
    """Labels, with the value behind one that several options have."""
    labels = _labels(definition)
    shared = Counter(labels.values())
    return {value: label if shared[label] == 1 else f"{label} [{value}]" for value, label in labels.items()}


class Codebook:
    def __init__(self, rows: Iterable[Row]):
        # A span whose items are unknown has a row without an item.
        self.rows = [row for row in rows if row["item"] is not None]

    def survey(self, name: str) -> str:
        """The identifier of a survey. Raises ValueError for an unknown name."""
        names = self.survey_names()
        found = [identifier for identifier, own in names.items() if own == name]
        if len(found) != 1:
            known = ", ".join(sorted(set(names.values()))) or "none"
            raise ValueError(f"Expected the identifier of a survey, or the name of one alone; the surveys are: {known}.")
        return found[0]

    def survey_names(self) -> Dict[str, str]:
        return {row["survey"]: row["surveyName"] for row in self.rows}

    def items(self, survey: Optional[str]) -> List[Item]:
        """Items that surveys have now, in their order, then former ones."""
        rows = [row for row in self.rows if survey in (None, row["survey"])]
        by_item: Dict[str, List[Row]] = {}
        for row in [row for row in rows if row["to"] is None] + [row for row in rows if row["to"] is not None]:
            by_item.setdefault(row["item"], []).append(row)
        return [
            Item(identifier, sorted(found, key=lambda row: (row["to"] is None, row["from"]), reverse=True))
            for identifier, found in by_item.items()
        ]
