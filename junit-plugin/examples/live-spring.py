#!/usr/bin/env python3
"""Compares the Spring Boot starter's percentiles of examples/spring, stopped for 3 s, with those of an open-loop client outside.

    mvn -Pfast -DskipTests package -pl cli,junit-plugin,integrations/spring-boot,integrations/micrometer -am
    python3 junit-plugin/examples/live-spring.py [--requests 1000000] [--only kept | --only many | --only idle] [--busy 4] [--idle 90] > live.md

The client connects in four ways: kept connections; 256 of them, too few for 3 s of requests; a new one per request; new ones with an
accept queue of 10, where a dropped SYN is sent again after 1 s. The service cannot see requests that wait in the client.
Then follow a time without requests, and --requests requests, of which none may be lost while memory stays flat. --busy starts busy
loops beside all of it and always ends them.
Exits with 1 if a visible p99 differs by more than a tenth, a request is lost, or memory grows by more than a fifth.
"""
import argparse
import importlib.util
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

spec = importlib.util.spec_from_file_location("check_spring", Path(__file__).parent / "check-spring.py")
examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(examples)

UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
INTERVAL = 45

# name, whether the service sees the stop, options of the service, options of the client. 1,000 connections are enough for all
# requests of the 3 s; with fewer, requests wait in the client, where the service cannot see them.
TRIALS = [
    ("kept", True, ["--server.tomcat.accept-count=2000"], ["-c", "1000"]),
    ("256 kept", False, [], ["-c", "256"]),
    ("one per request", True, ["--server.tomcat.accept-count=2000"], ["-c", "1000", "--no-keepalive"]),
    ("one per request, accept queue of 10", False, ["--server.tomcat.accept-count=10"], ["-c", "1000", "--no-keepalive"]),
]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def get(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.read().decode()


class Service:
    def __init__(self, jar, folder, *more):
        self.port = free_port()
        self.log = folder / f"service-{self.port}.log"
        self.process = subprocess.Popen(
            ["java", "-Xmx256m", "-jar", str(jar), f"--server.port={self.port}",
             f"--downbeat.recorder.interval={INTERVAL}s", *more],
            stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        while True:
            try:
                get(self.port, "/actuator/downbeat")
                break
            except OSError:
                time.sleep(0.2)
        match = None
        while not match:
            match = re.search(r"Started Shop in [\d.]+ seconds", self.log.read_text())
            time.sleep(0.1)

    def inside(self, before="Nothing was taken yet"):
        """The last recording, as soon as it differs from 'before'."""
        while before in (text := get(self.port, "/actuator/downbeat")):
            time.sleep(0.5)
        return text

    def connections(self):
        """The number of accepted, open connections."""
        rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/{self.process.pid}/net/{name}").read_text().splitlines()[1:]]
        return sum(row[1].endswith(f":{self.port:04X}") and row[3] == "01" for row in rows)

    def rss(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024

    def count(self):
        found = json.loads(get(self.port, "/actuator/metrics/orders.response.time"))
        return next(m["value"] for m in found["measurements"] if m["statistic"] == "COUNT")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def client(url, out, *more):
    return subprocess.Popen(
        ["java", "-jar", str(examples.ROOT / "cli/target/downbeat.jar"), "run", url, *more, "-o", str(out), "--quiet", "--accept-unsound"],
        stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)


def millis(text, percentile):
    found = re.search(rf"^\s*{re.escape(percentile)}\s+(?:≥ )?([\d,.]+) (ns|us|ms|s)\b", text, re.MULTILINE)
    return float(found.group(1).replace(",", "")) * UNITS[found.group(2)] if found else float("nan")


def outside(out):
    times = json.loads(out.read_text())["response"]
    return {name: times[name.replace(".", "_") + "_ns"] / 1e6 for name in ("p50", "p90", "p99")}


def stopped(jar, folder, name, seen, service_words, client_words):
    with Service(jar, folder, *service_words) as service:
        out = folder / "outside.json"
        before = service.inside()  # an interval has just ended, so the whole run is in the next one
        load = client(f"http://127.0.0.1:{service.port}/orders", out, "-R", "200", "-d", "25s", *client_words)
        while service.connections() < 5:  # on a busy machine the client starts slowly
            time.sleep(0.2)
        time.sleep(10)
        service.process.send_signal(signal.SIGSTOP)
        time.sleep(3)
        service.process.send_signal(signal.SIGCONT)
        load.wait()
        text = service.inside(before)
        there = outside(out)
        off = millis(text, "p99") / there["p99"] - 1
        right = not seen or abs(off) <= 0.1
        for p in ("p90", "p99"):
            here = millis(text, p)
            print(f"| {name} | {p} | {there[p]:,.0f} ms | {here:,.0f} ms | {100 * (here / there[p] - 1):+.1f} % |"
                  + ("" if right or p != "p99" else " WRONG"), flush=True)
        return 0 if right else 1


def many(jar, folder, requests):
    """Checks the exact count; it includes one request to the actuator."""
    with Service(jar, folder, "--logging.level.dev.downbeat=warn") as service:
        client(f"http://127.0.0.1:{service.port}/orders", folder / "warm.json", "-R", "2000", "-d", "20s").wait()
        time.sleep(INTERVAL + 5)
        before, warm = service.count(), service.rss()
        client(f"http://127.0.0.1:{service.port}/orders", folder / "many.json", "-R", "4000", "-n", str(requests)).wait()
        time.sleep(INTERVAL + 5)
        ledger = json.loads((folder / "many.json").read_text())["ledger"]
        sent = ledger["planned"] - ledger["never_sent"] - ledger["timed_out_unsent"]
        counted, grown = service.count() - before - 1, service.rss() / warm - 1
        right = sent == requests and counted == sent and grown <= 0.2
        print(f"\n{requests:,} requests after a warm-up: {sent:,} sent, {counted:,.0f} counted inside; memory {warm:,.0f} MB, then "
              f"{grown:+.0%}{'' if right else ' WRONG'}", flush=True)
        return 0 if right else 1


def idle(jar, folder, seconds):
    with Service(jar, folder) as service:
        time.sleep(INTERVAL + 5)
        early = service.rss()
        time.sleep(max(0, seconds - INTERVAL - 5))
        grown = service.rss() / early - 1
        complaints = [line for line in service.log.read_text().splitlines() if re.search(r"WARN|ERROR", line)]
        doubts = re.findall(r"(?i)unsound|in doubt", get(service.port, "/actuator/downbeat"))
        wrong = complaints or doubts or grown > 0.2
        print(f"\nidle for {seconds} s: {len(complaints)} complaints in the log, {len(doubts)} in the report; memory {early:,.0f} MB after "
              f"{INTERVAL + 5} s, then {grown:+.0%}{' WRONG' if wrong else ''}", flush=True)
        return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--only", choices=[*(trial[0] for trial in TRIALS), "many", "idle"], help="runs only this: a way to connect, the many requests, or the idle time")
    parser.add_argument("--busy", type=int, default=0, help="number of busy loops")
    parser.add_argument("--idle", type=int, default=2 * INTERVAL + 5, help="seconds without requests")
    given = parser.parse_args()
    requests, only = given.requests, given.only
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        to = examples.repository(folder)
        project = folder / "spring"
        shutil.copytree(examples.ROOT / "junit-plugin/examples/spring", project, ignore=shutil.ignore_patterns("target"))
        subprocess.run(["mvn", "-B", "-q", "-o", f"-Dmaven.repo.local={to}", "-DskipTests", "package"], cwd=project, check=True)
        jar = project / "target/shop-1.jar"
        print("| connections | | outside | inside | difference |\n|---|---|---|---|---|")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(given.busy)]
        try:
            wrong = sum(stopped(jar, folder, *trial) for trial in TRIALS if only in (None, trial[0]))
            wrong += idle(jar, folder, given.idle) if only in (None, "idle") else 0
            wrong += many(jar, folder, requests) if requests and only in (None, "many") else 0
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
