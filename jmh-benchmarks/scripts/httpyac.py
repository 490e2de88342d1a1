#!/usr/bin/env python3
"""Sends a .http file with httpyac and with Downbeat, and compares the requests that arrive: line, fields and body.

    jmh-benchmarks/scripts/httpyac.py [DOWNBEAT [ARGS...]]      (default: ./downbeat)

Needs node and npm, which downloads httpyac to a temporary folder unless HTTPYAC names an installed one. Prints a table for
jmh-benchmarks/results. Ignores fields that identify the sender or its connection: User-Agent, Accept-Encoding, Connection, Host.
Lists fields that only one of the two sends.
"""
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

LEFT_OUT = {"user-agent", "accept-encoding", "connection", "host"}

FILE = """
@host = http://127.0.0.1:%d
@who = ann

### plain
GET {{host}}/plain

### query over lines
GET {{host}}/search
    ?q=pear
    &size=10
    &who={{who}}

### fields
GET {{host}}/fields
Accept: text/html
X-One: 1
X-Two: {{who}} and others

### json
# @name order
POST {{host}}/orders
Content-Type: application/json

{
  "sku": "pear",
  "for": "{{who}}"
}

### form
POST {{host}}/form
Content-Type: application/x-www-form-urlencoded

a=1&b={{who}}

### a file
PUT {{host}}/upload
Content-Type: text/plain

< ./body.txt

### blanks and more in a path
GET {{host}}/a/b%%20c?d=%%C3%%A9&e=

### basic
GET {{host}}/secret
Authorization: Basic ann pw

// a comment
### delete
DELETE {{host}}/orders/17

### head
HEAD {{host}}/plain
"""


class Keeper(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kept = []

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fields = sorted((name.lower(), value) for name, value in self.headers.items() if name.lower() not in LEFT_OUT)
        Keeper.kept.append((f"{self.command} {self.path}", fields, body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def log_message(self, *args):
        pass


def sent_by(command, folder):
    Keeper.kept = []
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if not Keeper.kept:
        sys.exit(f"{command[0]} sent nothing: {done.stdout[-500:]}{done.stderr[-500:]}")
    return Keeper.kept


def difference(theirs, ours):
    if theirs[0] != ours[0]:
        return f"line: {theirs[0]} versus {ours[0]}"
    if theirs[2] != ours[2]:
        return f"body: {theirs[2]!r} versus {ours[2]!r}"
    only = [f"httpyac only: {name}: {value}" for name, value in theirs[1] if (name, value) not in ours[1]]
    only += [f"Downbeat only: {name}: {value}" for name, value in ours[1] if (name, value) not in theirs[1]]
    return "; ".join(only) or "equal"


def main():
    downbeat = [os.path.abspath(sys.argv[1])] + sys.argv[2:] if len(sys.argv) > 1 else [os.path.abspath("downbeat")]
    folder = pathlib.Path(tempfile.mkdtemp())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keeper)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (folder / "some.http").write_text(FILE % server.server_port)
    (folder / "body.txt").write_text("two lines\nof text\n")
    yac = os.environ.get("HTTPYAC")
    if not yac:
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder / "npm"), "httpyac@6.16.7"], check=True)
        yac = str(folder / "npm/node_modules/.bin/httpyac")
    theirs = sent_by([yac, "send", "some.http", "--all", "--output", "none"], folder)
    ours = sent_by([*downbeat, "run", "some.http", "--closed", "1", "-n", str(len(theirs)), "-c", "1", "-q"], folder)
    print(f"| request | {len(theirs)} requests of httpyac, {len(ours)} of Downbeat |\n|---|---|")
    for one, other in zip(theirs, ours):
        print(f"| `{other[0]}` | {difference(one, other)} |")


if __name__ == "__main__":
    main()
