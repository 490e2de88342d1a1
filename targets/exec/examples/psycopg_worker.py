"""A worker for `downbeat run exec:'python3 psycopg_worker.py DSN [--new]'`: runs the statement of `--data` for each line.

Keeps the connection; --new opens one per request, like many web frameworks do."""

import json
import sys
import time

import psycopg

dsn = sys.argv[1]
keeps = "--new" not in sys.argv[2:]
connection = None
opened = 0

for line in sys.stdin:
    if line.strip() == "ping":
        print("pong", flush=True)
        continue
    statement = json.loads(line).get("vars", {}).get("data", "select 1")
    details = {}
    try:
        if connection is None:
            begin = time.perf_counter_ns()
            connection = psycopg.connect(dsn, autocommit=True)
            details["connect_ns"] = time.perf_counter_ns() - begin  # with TLS handshake and login
            opened += 1
        details["connection"] = opened
        rows = connection.execute(statement)
        if rows.description:
            rows.fetchall()
        said = "ok"
    except psycopg.Error as failure:
        said = f"fail SQLSTATE {failure.sqlstate or type(failure).__name__}"
    if connection is not None and (not keeps or connection.closed):
        connection.close()
        connection = None
    print(said, json.dumps(details), flush=True)
