#!/usr/bin/env python3
"""Compares the cost of connections in five HTTP clients for the JVM: client-connections.py [ROUNDS [NAME]]

Each case of each client runs in its own process, in turns; 3 rounds by default (ten minutes). Writes results/NAME.json and NAME.svg,
and prints the table. Needs target/benchmarks.jar; loopback only. On a shared machine, put 'chrt -r 2' in front.
With 'table' instead of ROUNDS it only makes the table and the picture from NAME.json.
"""

import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = f"{ROOT}/results"
sys.path.insert(0, RESULTS)
from svg import dots  # noqa: E402

CLIENTS = {"JDK": "JDK HttpClient", "APACHE5": "Apache HttpClient 5", "OKHTTP": "OkHttp 4", "SDK_NETTY": "Netty, by the AWS SDK",
           "SDK_CRT": "AWS CRT, by the AWS SDK"}
CASES = ["FIRST", "KEPT", "NEW", "LOOKUP", "IDLE_1S", "IDLE_3S", "STALE", "RACE", "RACE_POST"]
NOTE = "medians of rounds with minimum and maximum; virtual machine with 2 cores, JDK 17, loopback"


def measure(client, case):
    command = ["java"] + (["-Dsun.net.inetaddr.ttl=0"] if case == "LOOKUP" else [])
    command += ["-cp", f"{ROOT}/target/benchmarks.jar", "dev.downbeat.bench.connection.ClientConnections", client, case]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{client} {case}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def rounds(count):
    subprocess.run(["java", "-jar", f"{ROOT}/target/benchmarks.jar", "-l"], check=True, stdout=subprocess.DEVNULL)  # refuses a stale jar
    found = []
    for number in range(count):
        for case in CASES:
            for client in list(CLIENTS)[number % len(CLIENTS):] + list(CLIENTS)[:number % len(CLIENTS)]:
                for _ in range(3 if case == "FIRST" else 1):
                    found.append({"round": number + 1, "load": os.getloadavg()[0], **measure(client, case)})
                    print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def of(found, client, case, key="p50_us"):
    return [one[key] for one in found if one["client"] == client and one["case"] == case and one[key] is not None]


def median(values):
    return statistics.median(values) if values else float("nan")


def text(micros):
    return f"{micros / 1000:.0f} ms" if micros >= 10000 else f"{micros / 1000:.1f} ms" if micros >= 1000 else f"{micros:.0f} us"


def share(found, client, case):
    return f"{100 * sum(of(found, client, case, 'failed')) / sum(of(found, client, case, 'requests')):.0f} %"


def table(found):
    print("| | first request | kept connection | new connection | lookup each time | kept, idle for 1 s | for 3 s | closed while idle, GET:"
          " failed | closed in that moment, GET: failed | POST: failed |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for client, name in CLIENTS.items():
        p50 = {case: median(of(found, client, case)) for case in CASES}
        cells = [f"{text(p50['FIRST'])}, CPU {median(of(found, client, 'FIRST', 'processor_us')) / 1000:.0f} ms", f"{text(p50['KEPT'])}, CPU {median(of(found, client, 'KEPT', 'processor_us')):.0f} us",
                 f"{text(p50['NEW'])}, CPU {median(of(found, client, 'NEW', 'processor_us')):.0f} us", text(p50["LOOKUP"]), text(p50["IDLE_1S"]),
                 text(p50["IDLE_3S"]), share(found, client, "STALE"), share(found, client, "RACE"), share(found, client, "RACE_POST")]
        print(f"| {name} | " + " | ".join(cells) + " |")


def picture(found, path):
    series = {"first request of a process": "FIRST", "new connection": "NEW", "after 3 s without a request": "IDLE_3S",
              "kept connection": "KEPT"}
    rows = []
    for client, name in CLIENTS.items():
        points = []
        for label, case in series.items():
            values = of(found, client, case)
            points.append((label, median(values), min(values), max(values)))
        rows.append((name, points))
    dots(path, "Requests of five clients by state of the connection", NOTE, "microseconds, median (log scale)", rows, log=True, left=210)


def main():
    asked = sys.argv[1] if len(sys.argv) > 1 else "3"
    name = sys.argv[2] if len(sys.argv) > 2 else "client-connections"
    path = f"{RESULTS}/{name}.json"
    if asked == "table":
        with open(path) as file:
            found = json.load(file)
    else:
        found = rounds(int(asked))
        with open(path, "w") as file:
            file.write("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n")
    table(found)
    picture(found, f"{RESULTS}/{name}.svg")


main()
