"""A codebook and rows as the service has them."""

from typing import Any, Dict, List, Optional, Tuple

DIARY, MOMENTS = "d" * 32, "e" * 32
CHANGED = "2026-03-01T00:00:00.000Z"


def item(identifier: Optional[str], kind: Optional[str], *options: Tuple[str, str], **more: Any) -> Dict[str, Any]:
    row: Dict[str, Any] = {
        "survey": DIARY,
        "surveyName": "Diary",
        "item": identifier,
        "label": f"{identifier}?",
        "kind": kind,
        "required": False,
        "min": None,
        "max": None,
        "options": [{"value": value, "label": label} for value, label in options] or None,
        "sets": None,
        "from": "2026-01-01T00:00:00.000Z",
        "to": None,
    }
    return {**row, **more}


BOOK: List[Dict[str, Any]] = [
    item(None, None, **{"from": "2025-01-01T00:00:00.000Z", "to": "2026-01-01T00:00:00.000Z"}),
    item("sleep", "choice", ("well", "Well"), ("badly", "Badly"), to=CHANGED),
    item("old", None, to=CHANGED),
    item(
        "sleep", "choice", ("badly", "Not well"), ("well", "Well"), ("x", "Same"), ("y", "Same"), **{"from": CHANGED}
    ),
    item("hours", "number", min=0, max=24),
    item("rested", "scale", ("1", "Not at all"), ("5", "Completely"), min=1, max=5),
    item("kept", "choices", ("noise", "Noise"), ("light", "Light; sun"), ("worries", "Worries")),
    item("better", "yes-no"),
    item("bedtime", "time"),
    item("day", "date"),
    item("notes", "text"),
    item("tired", "scale", ("1", "Awake"), survey=MOMENTS, surveyName="Moments", min=1, max=5),
]

ROWS: List[Dict[str, Any]] = [
    {
        "items": {
            "sleep": "badly",
            "hours": "7.5",
            "rested": "5",
            "kept": "noise light",
            "better": "no",
            "bedtime": "23:10",
            "day": "2026-02-03",
            "notes": "",
        },
        "labels": {"sleep": "Badly", "rested": "Completely", "kept": "Noise; Light; sun", "better": "No"},
    },
    {"items": {"sleep": "badly", "hours": "-2", "kept": "", "notes": "0012"}, "labels": {"sleep": "Not well"}},
    {"items": {"sleep": "x", "hours": "many", "gone": "z", "old": "o"}, "labels": {"sleep": "Same"}},
    {"items": {}, "labels": {}},
]
