"""Texts of the API as values of Python."""

import datetime
import re
from typing import Any, Optional
from zoneinfo import ZoneInfo

UTC = datetime.timezone.utc


def instant(text: str) -> datetime.datetime:
    """An instant, in UTC."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def wall_clock(at: datetime.datetime, zone: str) -> datetime.datetime:
    """The date and the time that a clock in the zone shows at an instant: without a zone, so that rows of several can be compared."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def date(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def time(text: str) -> datetime.time:
    return datetime.time.fromisoformat(text)


def number(text: str) -> float:
    # Python reads `1_000`, ` 1` and `nan` as numbers, too.
    if not re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", text):
        raise ValueError(text)
    return float(text)


def whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]+", text):
        raise ValueError(text)
    return int(text)


def yes_no(text: str) -> bool:
    return {"yes": True, "no": False}[text]


def answer(kind: str, text: Optional[str]) -> Any:
    """
    An answer as its kind has it; None without one. An empty text is an answer to an item of text alone. Raises ValueError if
    the text is not of the kind, as may be in an answer to an earlier wording.
    """
    if text is None or (text == "" and kind != "text"):
        return None
    try:
        return _readers[kind](text) if kind in _readers else text
    except KeyError:
        raise ValueError(text) from None


_readers = {
    "number": number,
    "scale": whole,
    "yes-no": yes_no,
    "time": time,
    "date": date,
    "choices": lambda text: text.split(" "),
}
