"""Requests: the token, retries, errors, and streams that must not be cut short."""

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

Query = Mapping[str, Union[str, Sequence[str], None]]

_TRANSIENT = {429, 502, 503, 504}
_LONGEST_WAIT_SECONDS = 60.0
_PIECE_BYTES = 1 << 16


class ProblemError(Exception):
    """A refusal by the service: its problem document (RFC 9457)."""

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: Optional[float] = None):
        title = document.get("title") or f"The service answered {status}"
        detail = document.get("detail")
        super().__init__(f"{title}: {detail}" if detail else title)
        self.status = status
        self.type: str = document.get("type") or "about:blank"
        self.code: str = document.get("code") or "unknown"
        self.title: str = title
        self.detail: Optional[str] = detail
        self.errors: List[Dict[str, str]] = document.get("errors") or []
        self.retry_after = retry_after


class CutShortError(ConnectionError):
    """The answer ended before its end: what has come of it is not the whole list."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service does not redirect; following one would hand the token to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Service:
    """Reads from one deployment, by GET only."""

    def __init__(self, url: str, token: str, retries: int = 4, timeout: float = 60.0):
        self._url = url.rstrip("/")
        self._token = token
        self._retries = retries
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def document(self, path: str, query: Query = {}) -> Any:
        """One JSON document."""
        return self._tried(lambda: self._document(path, query))

    def rows(self, path: str, query: Query = {}) -> List[Dict[str, Any]]:
        """All rows of a list. Either the whole list or an error: a stream that was cut short is asked for again."""
        return self._tried(lambda: list(self._rows(path, query)))

    def _document(self, path: str, query: Query) -> Any:
        with self._open(path, query, "application/json") as response:
            return json.loads(b"".join(_pieces(response)))

    def _rows(self, path: str, query: Query) -> Iterator[Dict[str, Any]]:
        with self._open(path, query, "application/x-ndjson") as response:
            if response.headers.get_content_type() != "application/x-ndjson":
                raise TypeError("Expected a list with one row a line: the service is older than this package.")
            rest = b""
            for piece in _pieces(response):
                lines = (rest + piece).split(b"\n")
                rest = lines.pop()
                for line in lines:
                    if line.strip():
                        yield json.loads(line)
            if rest.strip():
                yield json.loads(rest)

    def _open(self, path: str, query: Query, accept: str) -> Any:
        chosen = {name: value for name, value in query.items() if value is not None}
        url = f"{self._url}{path}" + (f"?{urllib.parse.urlencode(chosen, doseq=True)}" if chosen else "")
        headers = {"Accept": accept, "Authorization": f"Bearer {self._token}"}
        try:
            return self._opener.open(urllib.request.Request(url, headers=headers), timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise _problem_of(error) from None

    def _tried(self, work: Any) -> Any:
        failures = 0
        while True:
            try:
                return work()
            except ProblemError as problem:
                wait = max(_backoff(failures), problem.retry_after or 0.0)
                if problem.status not in _TRANSIENT or failures >= self._retries or wait > _LONGEST_WAIT_SECONDS:
                    raise
            except (OSError, http.client.HTTPException):
                wait = _backoff(failures)
                if failures >= self._retries:
                    raise
            failures += 1
            time.sleep(wait)


def _backoff(failures: int) -> float:
    return min(8.0, 0.25 * 2**failures) * random.uniform(0.5, 1.0)


def _pieces(response: Any) -> Iterator[bytes]:
    """
    The body to its very end. `HTTPResponse` says so of chunks alone: with a length it returns a short body, and line by line it
    hides a missing end of the chunks.
    """
    length = response.headers.get("Content-Length")
    chunked = getattr(response, "chunked", False)
    if length is None and not chunked:
        raise CutShortError("The answer has neither a length nor chunks, so that its end cannot be told.")
    received = 0
    while True:
        try:
            piece = response.read(_PIECE_BYTES)
        except http.client.IncompleteRead as error:
            raise CutShortError("The answer was cut short.") from error
        if not piece:
            break
        received += len(piece)
        yield piece
    if not chunked and length is not None and received != int(length):
        raise CutShortError(f"The answer was cut short: {received} of {length} bytes.")


def _problem_of(error: urllib.error.HTTPError) -> ProblemError:
    try:
        document = json.loads(error.read())
    except (ValueError, OSError, http.client.HTTPException):
        document = {}
    after = error.headers.get("Retry-After") or ""
    return ProblemError(
        error.code,
        document if isinstance(document, dict) else {},
        float(after) if after.isdigit() else None,
    )
