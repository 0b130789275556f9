"""A git server on this machine that asks for a token, as GitHub does for a private repository."""

import base64
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.machine import environment


@contextmanager
def serve(folder: Path, token: str) -> Iterator[str]:
    """The address under which the repositories in `folder` can be fetched with `token`."""
    expected = "basic " + base64.b64encode(f"x-access-token:{token}".encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shown = self.headers.get_all("Authorization") or []
            if len(shown) > 1:  # GitHub answers so, with "Duplicate header"
                self.send_error(400)
            elif shown != [expected]:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="private"')
                self.end_headers()
            else:
                self._answer()

        do_POST = do_GET  # noqa: N815 - the name that http.server looks for

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path, _, query = self.path.partition("?")
            environ = environment(
                GIT_PROJECT_ROOT=str(folder),
                GIT_HTTP_EXPORT_ALL="1",
                GIT_PROTOCOL=self.headers.get("Git-Protocol", ""),
                REQUEST_METHOD=self.command,
                PATH_INFO=path,
                QUERY_STRING=query,
                CONTENT_TYPE=self.headers.get("Content-Type", ""),
                CONTENT_LENGTH=str(len(body)),
                HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            )
            done = subprocess.run(["git", "http-backend"], input=body, env=environ, capture_output=True, check=True)
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            self.send_response(int(fields.pop("Status", "200").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
