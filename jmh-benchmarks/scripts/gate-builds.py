#!/usr/bin/env python3
"""Counts how often a CI gate is right in many builds: for services that are healthy, stall, or are 20 % slower than the base branch,
each with 0, 4 and 8 busy loops.

    jmh-benchmarks/scripts/gate-builds.py [--minutes 25] [--loops 0,4,8] [--kinds healthy,stalling,unchanged,slower]
                                          [--out target/gate-builds.jsonl]
    jmh-benchmarks/scripts/gate-builds.py --table [--out FILE]

A build is a JUnit load test (GateBuildMain) in its own JVM, with the usual checks for a crowded machine. "healthy" and "stalling"
(600 ms every 3 s) have the objective p99 < 100 ms; "unchanged" and "slower" are measured in turns with a second service.
Each build appends a line to the file; another run adds more, starting with the combination that has the fewest builds.
Stops after --minutes or at Ctrl-C, without the unfinished build, and prints the table of all lines.
Load goes to 127.0.0.1 only. Needs a JDK, and Maven for the first run.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "junit-plugin"
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
MEDIAN, SLOWER = "lognormal:5ms,0.3", "lognormal:6ms,0.3"
SERVICES = {"healthy": ["--delay", MEDIAN], "base": ["--delay", MEDIAN], "slower": ["--delay", SLOWER],
            "stalling": ["--delay", MEDIAN, "--stall", "every 3s for 600ms"]}
KINDS = {"healthy": ("healthy", None), "stalling": ("stalling", None), "unchanged": ("healthy", "base"),
         "slower": ("slower", "base")}
WRONG = {"healthy": "red", "stalling": "green", "unchanged": "red", "slower": "green"}
LONGEST = 180
"""Seconds after which a build is killed and counted as hung."""


class Ended(Exception):
    pass


def classpath():
    path = PLUGIN / "target/test-classpath"
    if not path.exists():
        subprocess.run(["mvn", "-B", "-q", "-Pfast", "-pl", "junit-plugin", "-am", "test-compile", "dependency:build-classpath",
                        "-Dmdep.includeScope=test", "-Dmdep.outputFile=target/test-classpath"], cwd=ROOT, check=True)
    return f"{PLUGIN}/target/test-classes:{PLUGIN}/target/classes:{path.read_text().strip()}"


class Children:
    """The processes started here; each is ended by its own handle."""

    def __init__(self):
        self.running = []

    def start(self, words, **more):
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, **more)
        self.running.append(child)
        return child

    def end(self, child):
        child.kill()
        child.wait()
        self.running.remove(child)

    def end_all(self):
        for child in list(self.running):
            self.end(child)


def serve(children, words):
    child = children.start([DOWNBEAT, "serve", "--port", "0", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in child.stdout:
        found = re.search(r"http://[\d.]+:\d+/", line)
        if found:
            return found.group()
    sys.exit("a service did not start")


def build(children, path, kind, loops, uris):
    own, base = KINDS[kind]
    folder = PLUGIN / "target/gate-builds"
    busy = [children.start([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    begun = time.monotonic()
    try:
        child = children.start(
            ["java", "-XX:+UseSerialGC", f"-Dbuild.service={uris[own]}", f"-Ddownbeat.reports={folder}",
             *([f"-Ddownbeat.against={uris[base]}"] if base else []), "-cp", path, "dev.downbeat.junit.GateBuildMain"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            out = child.communicate(timeout=LONGEST)[0]
        except subprocess.TimeoutExpired:
            out = "hung"
        children.end(child)
    finally:
        for each in busy:
            children.end(each)
    said = next((line for line in out.splitlines() if line.startswith("[downbeat]")), out[:300])
    # The last line of GateBuildMain decides; an excused miss passes.
    colour = {"ended SUCCESSFUL": "green", "ended FAILED": "red"}.get((out.splitlines() or [""])[-1], "broken")
    if colour == "green" and "UNDECIDED" in said:
        colour = "undecided"
    if kind == "slower" and colour == "green":
        colour = "faster" if "faster than the other" in said else "undecided" if "cannot tell" in said else "green"
    return {"kind": kind, "loops": loops, "ended": colour, "seconds": round(time.monotonic() - begun, 1), "said": said}


def lines(out):
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def table(built):
    cells = collections.defaultdict(list)
    for each in built:
        cells[each["kind"], each["loops"]].append(each)
    print("| service | loops | builds | green | undecided | red | other | wrong | s per build |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (kind, loops), each in sorted(cells.items()):
        ended = collections.Counter(one["ended"] for one in each)
        other = len(each) - ended["green"] - ended["undecided"] - ended["red"]
        print(f"| {kind} | {loops} | {len(each)} | {ended['green']} | {ended['undecided']} | {ended['red']} | {other} | "
              f"{ended[WRONG[kind]] + ended['faster']} | {sum(one['seconds'] for one in each) / len(each):.1f} |")


def stop(*_):
    raise Ended


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--loops", default="0,4,8")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--out", type=pathlib.Path, default=PLUGIN / "target/gate-builds.jsonl")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    cells = [(kind, int(loops)) for loops in options.loops.split(",") for kind in options.kinds.split(",")]
    if unknown := {kind for kind, _ in cells} - KINDS.keys():
        parser.error(f"unknown kind {', '.join(unknown)}; known are {', '.join(KINDS)}")
    if not options.table:
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        children = Children()
        try:
            path = classpath()
            uris = {name: serve(children, SERVICES[name]) for name in SERVICES}
            until = time.monotonic() + 60 * options.minutes
            counts = collections.Counter((each["kind"], each["loops"]) for each in lines(options.out))
            while time.monotonic() < until:
                cell = min(cells, key=lambda each: counts[each])
                one = build(children, path, *cell, uris)
                with options.out.open("a") as out:
                    out.write(json.dumps(one) + "\n")
                counts[cell] += 1
                print(f"{one['kind']:9} {one['loops']} {one['ended']:9} {one['seconds']:5.1f} s", flush=True)
        except Ended:
            pass
        finally:
            children.end_all()
    table(lines(options.out))


main()
