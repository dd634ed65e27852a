import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fieldbell
from fieldbell._service import Service


class Answering(BaseHTTPRequestHandler):
    """Answers as the test says: a function of the handler for each request, the last one for all others."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        answers = self.server.answers
        self.server.seen.append(self.headers)
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def begin(self, status, media, **headers):
        self.send_response(status)
        self.send_header("Content-Type", media)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def chunk(self, text):
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


def refusing(status, **headers):
    def answer(handler):
        document = {
            "type": "/problems/rate.limited",
            "title": "Too many requests",
            "status": status,
            "detail": "Ask again later.",
            "code": "rate.limited",
            "errors": [{"parameter": "survey", "detail": "Expected less."}],
        }
        body = json.dumps(document).encode()
        handler.begin(status, "application/problem+json", Content_Length=str(len(body)), **headers)
        handler.wfile.write(body)

    return answer


def rows(handler):
    handler.begin(200, "application/x-ndjson", Transfer_Encoding="chunked")
    handler.chunk('{"n":1}\n{"n"')
    handler.chunk(':"é"}\n')
    handler.wfile.write(b"0\r\n\r\n")


def cut_between_rows(handler):
    handler.begin(200, "application/x-ndjson", Transfer_Encoding="chunked")
    handler.chunk('{"n":1}\n')
    handler.close_connection = True


def short_of_its_length(handler):
    handler.begin(200, "application/x-ndjson", Content_Length="100")
    handler.wfile.write(b'{"n":1}\n')
    handler.close_connection = True


def without_an_end(handler):
    handler.begin(200, "application/x-ndjson")
    handler.wfile.write(b'{"n":1}\n')
    handler.close_connection = True


class ServiceTest(unittest.TestCase):
    def asked(self, *answers, retries=4):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        server.answers, server.seen = list(answers), []
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.seen = server.seen
        return Service(f"http://127.0.0.1:{server.server_port}", "secret", retries).rows("/list")

    def test_rows_are_read_a_line_each(self):
        self.assertEqual(self.asked(rows), [{"n": 1}, {"n": "é"}])
        self.assertEqual(self.seen[0]["Accept"], "application/x-ndjson")
        self.assertEqual(self.seen[0]["Authorization"], "Bearer secret")

    def test_a_busy_service_is_asked_again_after_the_time_it_says(self):
        self.assertEqual(len(self.asked(refusing(429, Retry_After="0"), refusing(503), rows)), 2)
        self.assertEqual(len(self.seen), 3)

    def test_a_wait_of_minutes_is_an_error(self):
        with self.assertRaises(fieldbell.ProblemError) as raised:
            self.asked(refusing(429, Retry_After="300"))
        self.assertEqual(raised.exception.retry_after, 300)

    def test_a_refusal_is_an_error_with_its_title_and_detail(self):
        with self.assertRaises(fieldbell.ProblemError) as raised:
            self.asked(refusing(400))
        problem = raised.exception
        self.assertEqual(str(problem), "Too many requests: Ask again later.")
        self.assertEqual((problem.status, problem.type, problem.code), (400, "/problems/rate.limited", "rate.limited"))
        self.assertEqual(problem.errors, [{"parameter": "survey", "detail": "Expected less."}])
        self.assertEqual(len(self.seen), 1)

    def test_a_list_that_was_cut_short_is_asked_for_again(self):
        self.assertEqual(len(self.asked(cut_between_rows, rows)), 2)

    def test_a_list_that_is_always_cut_short_is_an_error(self):
        for answer in (cut_between_rows, short_of_its_length, without_an_end):
            with self.subTest(answer.__name__), self.assertRaises(fieldbell.CutShortError):
                self.asked(answer, retries=0)

    def test_a_redirect_is_not_followed_with_the_token(self):
        with self.assertRaises(fieldbell.ProblemError) as raised:
            self.asked(lambda handler: handler.begin(302, "text/plain", Location="/other", Content_Length="0"))
        self.assertEqual(raised.exception.status, 302)
        self.assertEqual(len(self.seen), 1)

    def test_an_older_service_that_has_no_such_lists_is_an_error(self):
        def document(handler):
            handler.begin(200, "application/json", Content_Length="2")
            handler.wfile.write(b"{}")

        with self.assertRaisesRegex(TypeError, "older"):
            self.asked(document)


if __name__ == "__main__":
    unittest.main()
