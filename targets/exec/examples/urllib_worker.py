"""A worker for `downbeat run exec:'python3 urllib_worker.py URL [--new]'`: sends a GET per line.

Keeps the connection; --new opens one per request."""

import http.client
import json
import sys
import time
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
keeps = "--new" not in sys.argv[2:]
connection = None
opened = 0
position = 0

for line in sys.stdin:
    if line.strip() == "ping":
        print("pong", flush=True)
        continue
    request = json.loads(line)  # {"index": 17, "intended_unix_ns": ..., "vars": {"data": "..."}}
    details = {}
    try:
        if connection is None:
            begin = time.perf_counter_ns()
            connection = http.client.HTTPConnection(url.hostname, url.port)
            connection.connect()
            details["connect_ns"] = time.perf_counter_ns() - begin
            opened += 1
            position = 0
        position += 1
        details.update(connection=opened, position=position)
        connection.request("GET", (url.path or "/") + ("?" + url.query if url.query else ""),
                           headers={} if keeps else {"Connection": "close"})
        response = connection.getresponse()
        response.read()
        if response.will_close:
            connection.close()
            connection = None
        said = "ok" if response.status < 400 else f"fail HTTP {response.status}"
    except (OSError, http.client.HTTPException) as failure:
        connection = None
        said = f"fail {type(failure).__name__}"
    print(said, json.dumps(details), flush=True)
