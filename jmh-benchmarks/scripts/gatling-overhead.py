#!/usr/bin/env python3
"""Measures the cost of the correction in a Gatling simulation. A plain and a corrected JVM run at the same time and send in turns,
so that both meet the same conditions. Each has a server on the last core, which stamps requests with the kernel's receive time and
is therefore independent of both.

usage: gatling-overhead.py [--pairs N] [--turns N] [--seconds S] [--warm S] [--rate N] [--more FILE]
       gatling-overhead.py --closed 20 [--pairs N] [--seconds S] [--gatling VERSION]

Each pair first warms up together at a growing rate, then sends in turns of S seconds, of which the middle counts.
Prints the CPU time (user and system) by groups of threads, and its ratio with a standard error and a 95 % interval over the pairs
(Student's t on logarithms). "The whole JVM" includes Gatling's report on both sides and Downbeat's on the corrected one.
A pair with failed requests or a wrong rate is printed and excluded. --more adds the pairs to those of an earlier run.
--closed measures N users without pauses for S seconds, in one JVM after the other: requests, and CPU time per request, of the whole
run and of each 5 s, after which Gatling prints its counts.
Needs cc and taskset; loopback only. Compiles what is missing.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "gatling-plugin"
SIDES = {"plain": "Plain", "corrected": "Corrected"}
EDGE = 1.0
"""Seconds at both ends of a turn that do not count, since the JVM's start and Gatling's tick shift the turn."""
GROUPS = [
    ("compilers", r"C[12] Compiler"),
    ("Downbeat: intervals", "downbeat-interv"),
    ("Downbeat: pause monitor", "downbeat-hiccup|hiccup"),
    ("Downbeat: others", "downbeat"),
    ("collector and JVM", r"G1|GC|VM |Signal|Service|Sweeper|Monitor|Common-Clean|Finalizer|Reference|Notif"),
    ("Gatling's event loops", "gatling-http|gatling-1-|multiThread|gatling-netty|nioEvent|epollEvent"),
    ("Gatling's actors", "gatling|GatlingSystem"),
]
T975 = [0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120]


def group(thread):
    return next((name for name, pattern in GROUPS if re.match(pattern, thread)), "others")


def spent(pid):
    """CPU time so far in us, by groups of threads."""
    by = collections.Counter()
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            by[group((task / "comm").read_text().strip())] += int((task / "schedstat").read_text().split()[0]) / 1e3
        except (FileNotFoundError, ProcessLookupError):
            pass
    return by


def compiled(work, gatling):
    path = PLUGIN / "target/test-classpath"
    if not path.exists():
        subprocess.run(["mvn", "-B", "-q", "-Pfast", "-pl", "gatling-plugin", "-am", "test-compile", "dependency:build-classpath",
                        "-Dmdep.includeScope=test", "-Dmdep.outputFile=target/test-classpath"], cwd=ROOT, check=True)
    subprocess.run(["cc", "-O2", "-o", work / "stamper", ROOT / "jmh-benchmarks/compare/stamper.c"], check=True)
    jars = path.read_text().strip()
    if gatling:  # the same class path as in OtherGatling
        other = PLUGIN / f"target/gatling-{gatling}.classpath"
        subprocess.run(["mvn", "-B", "-q", "-f", PLUGIN / "src/test/versions/pom.xml", f"-Dgatling.version={gatling}",
                        f"-Dmdep.outputFile={other}", "dependency:build-classpath"], check=True)
        ours = [jar for jar in jars.split(":") if re.search("classes$|HdrHistogram|jspecify|/downbeat-", jar) and "sqs" not in jar]
        jars = ":".join([*ours, other.read_text().strip()])
    return f"{PLUGIN}/target/test-classes:{PLUGIN}/target/classes:{jars}"


class Side:
    def __init__(self, name, options, work, classpath, begin_at, first):
        self.work, self.name, self.stamps = work, name, work / f"{name}.stamps"
        core = str(os.cpu_count() - 1)
        self.server = subprocess.Popen(["taskset", "-c", core, work / "stamper", "-p", "0", "-o", self.stamps],
                                       stdout=subprocess.PIPE, text=True)
        port = self.server.stdout.readline().split()[1]
        self.jvm = subprocess.Popen(
            ["java", "-Xmx1g", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-Ddownbeat.exitCode=none",
             f"-Dtest.url=http://127.0.0.1:{port}", f"-Dtest.rate={options.rate}", f"-Dtest.seconds={options.warm}",
             f"-Dtest.turns={options.turns}", f"-Dtest.turn={options.seconds}", f"-Dtest.first={str(first).lower()}",
             f"-Dtest.beginAt={begin_at}", *options.jvm, "-cp", classpath, "io.gatling.app.Gatling",
             "-s", "dev.downbeat.gatling.OverheadSimulations$" + SIDES[name], "-rf", work / f"results.{name}"],
            stdout=open(work / f"{name}.out", "w"), stderr=subprocess.STDOUT)
        self.turns = []

    def turn(self, seconds):
        """Records the middle of a turn that begins now."""
        time.sleep(EDGE)
        before, begin = spent(self.jvm.pid), time.monotonic_ns()
        time.sleep(seconds - 2 * EDGE)
        after, end = spent(self.jvm.pid), time.monotonic_ns()
        self.turns.append((begin, end, {each: after[each] - before[each] for each in after}))
        time.sleep(EDGE)

    def end(self):
        _, status, usage = os.wait4(self.jvm.pid, 0)
        self.jvm.returncode = status
        self.server.terminate()
        self.server.wait()
        if status:
            sys.exit((self.work / f"{self.name}.out").read_text())
        lines = self.stamps.read_text().splitlines()
        first = next(int(line.split()[2]) for line in lines if line.startswith("# first_monotonic_ns"))
        at = [first + int(line.split()[0]) for line in lines if line[0] != "#"]
        requests, late = 0, []
        for begin, end, _ in self.turns:
            here = [each for each in at if begin <= each < end]
            requests += len(here)
            gap = (end - begin) / max(1, len(here))
            from_plan = [each - i * gap for i, each in enumerate(here)]
            late += [(each - min(from_plan)) / 1e3 for each in from_plan]
        late.sort()
        us = collections.Counter()
        for _, _, by in self.turns:
            us.update(by)
        whole = (usage.ru_utime + usage.ru_stime) * 1e6
        each = {name: value / max(1, requests) for name, value in us.items()}
        warm = sum(value for name, value in each.items() if name != "compilers")
        out = (self.work / f"{self.name}.out").read_text()
        failures = re.findall(r"> Global.*\|([^|]*)$", out, re.M)
        errors = out[out.rfind("---- Requests"):].partition("---- Errors")[2].partition("\n---- ")[0].splitlines()[1:]
        head = {line.split()[1]: int(line.split()[2]) for line in lines if line[0] == "#"}
        return {"requests": len(at), "failed": int(re.sub(r"\D", "", failures[-1]) or 0) if failures else -1,
                "why": [" ".join(line.split()) for line in errors if line.strip()],
                "connections": head["accepted"], "refused": head["refused"],
                "rate": requests * 1e9 / sum(end - begin for begin, end, _ in self.turns),
                "late p50": late[len(late) // 2], "late p99": late[len(late) * 99 // 100], "warm": warm, "each": each,
                "whole": whole / len(at), "rest ms": (whole - warm * len(at)) / 1e3}


def counts(out):
    """The numbers of requests that Gatling has printed so far."""
    return [int(each.replace(",", "")) for each in re.findall(r"> Global\s*\|\s*([\d,]+)", out.read_text())]


def closed(options, work, classpath, side):
    """Runs one JVM: requests, and us per request of event loops, compilers, all threads, and all threads until the last request."""
    server = subprocess.Popen(["java", "-XX:TieredStopAtLevel=1", "-cp", classpath, "dev.downbeat.loopback.LoopbackProcess"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    uri, out, seen = server.stdout.readline().split()[1], work / "closed.out", []
    jvm = subprocess.Popen(["java", "-Xmx1g", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-Ddownbeat.exitCode=none",
                            f"-Dtest.url={uri}", f"-Dtest.seconds={options.seconds}", f"-Dtest.users={options.closed}", "-cp", classpath,
                            "io.gatling.app.Gatling", "-nr", "-s", "dev.downbeat.gatling.OverheadSimulations$Closed" + SIDES[side],
                            "-rf", work / "closed"], stdout=open(out, "w"), stderr=subprocess.STDOUT)
    printed = []
    while jvm.poll() is None:
        time.sleep(0.1)
        try:
            seen.append(spent(jvm.pid))
        except FileNotFoundError:
            break
        if len(counts(out)) > len(printed):
            printed.append((counts(out)[-1], sum(seen[-1].values())))
    server.terminate()
    if jvm.wait() or not counts(out):
        sys.exit(out.read_text())
    count = counts(out)[-1]
    last = max(seen, key=lambda by: sum(by.values()))
    loops = max(by["Gatling's event loops"] for by in seen)
    load = next(by for by in seen if by["Gatling's event loops"] >= 0.985 * loops)
    return {"requests": count, "event loops": last["Gatling's event loops"] / count, "compilers": last["compilers"] / count,
            "all threads": sum(last.values()) / count, "all threads until the last request": sum(load.values()) / count,
            "phases": [(after - before, (until - begin) / (after - before))
                       for (before, begin), (after, until) in zip([(0, 0.0), *printed], printed) if after > before]}


def print_closed(options, work, classpath):
    pairs = [{side: closed(options, work, classpath, side) for side in (list(SIDES) if i % 2 else list(SIDES)[::-1])}
             for i in range(options.pairs)]
    print(f"{options.closed} users without pauses for {options.seconds} s\n\n| medians | plain | corrected | ratio | standard error |"
          " 95 % interval | each pair |\n|---|--:|--:|--:|--:|---|---|")
    for what, unit in (("requests", ""), ("event loops", ", us per request"), ("compilers", ", us per request"),
                       ("all threads", ", us per request"), ("all threads until the last request", ", us per request")):
        a, b = (statistics.median(each[side][what] for each in pairs) for side in SIDES)
        print(f"| {what}{unit} | {a:,.1f} | {b:,.1f} | {ratio(pairs, lambda side: side[what])} |")
    print("\n| corrected to plain | requests | CPU of all threads, a request |\n|---|--:|--:|")
    for i in range(min(options.seconds // 5, *(len(side["phases"]) for each in pairs for side in each.values()))):
        print(f"| {5 * i} to {5 * i + 5} s | " + " | ".join(
            f"{math.exp(statistics.fmean(math.log(each['corrected']['phases'][i][k] / each['plain']['phases'][i][k]) for each in pairs)):.2f}"
            for k in (0, 1)) + " |")


def pair(options, work, classpath, swapped):
    begin_at = int(time.time() * 1000) + 12_000
    order = ["corrected", "plain"] if swapped else ["plain", "corrected"]
    sides = {name: Side(name, options, work, classpath, begin_at, name == order[0]) for name in order}
    time.sleep(begin_at / 1e3 - time.time() + options.warm)
    for _ in range(options.turns):
        for name in order:
            sides[name].turn(options.seconds)
    return {name: side.end() for name, side in sides.items()}


def ratio(pairs, what):
    logs = [math.log(what(each["corrected"]) / what(each["plain"])) for each in pairs]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return f"{math.exp(mean):.3f} | | |"
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    half = T975[min(len(logs) - 1, len(T975) - 1)] * error
    each = " ".join(f"{math.exp(log):.2f}" for log in logs)
    return (f"**{math.exp(mean):.3f}** | {math.exp(mean) * error:.3f} | "
            f"{math.exp(mean - half):.3f} to {math.exp(mean + half):.3f} | {each}")


def problem(side, options):
    """The reason why a side cannot be compared; empty if it can."""
    if side["failed"] or side["refused"]:
        return f"{side['failed']} requests failed ({'; '.join(side['why'])}), {side['refused']} connections refused by the server"
    return "" if abs(side["rate"] / options.rate - 1) < 0.02 else f"sent {side['rate']:,.0f}/s in its turns"


def print_summary(options, all_pairs):
    pairs = [pair for pair in all_pairs if not any(problem(side, options) for side in pair.values())]
    for number, pair in enumerate(all_pairs):
        for name, side in pair.items():
            if problem(side, options):
                print(f"pair {number + 1} is excluded, {name}: {problem(side, options)}\n")
    if not pairs:
        sys.exit("no pair to compare")
    print(f"{len(pairs)} pairs, {options.rate}/s, {options.warm} s of warm-up, then {options.turns} turns of {options.seconds} s each, "
          f"of which {options.seconds - 2 * EDGE:g} s count\n")
    print("| medians of the pairs | plain | corrected | ratio | standard error | 95 % interval | each pair |\n"
          "|---|--:|--:|--:|--:|---|---|")
    for what, key in (("requests", "requests"), ("connections", "connections"), ("requests per second, in turns", "rate"),
                      ("lateness of arrivals p50, µs", "late p50"), ("lateness of arrivals p99, µs", "late p99"),
                      ("CPU time when warm, without the compilers, µs per request", "warm"),
                      ("CPU time of the whole JVM, µs per request", "whole"),
                      ("of it for start, compilers and reports, ms", "rest ms")):
        a, b = (statistics.median(each[side][key] for each in pairs) for side in SIDES)
        print(f"| {what} | {a:,.1f} | {b:,.1f} | {ratio(pairs, lambda side: side[key])} |")
    print("\n| µs per request by threads, medians | plain | corrected |\n|---|--:|--:|")
    for name in sorted({name for each in pairs for side in each.values() for name in side["each"]}):
        a, b = (statistics.median(each[side]["each"].get(name, 0) for each in pairs) for side in SIDES)
        print(f"| {name} | {a:.1f} | {b:.1f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--warm", type=int, default=20)
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--more", type=pathlib.Path)
    parser.add_argument("--closed", type=int)
    parser.add_argument("--gatling", help="a Gatling version other than the build's")
    parser.add_argument("--jvm", nargs="*", default=[])
    options = parser.parse_args()
    pairs = json.loads(options.more.read_text()) if options.more and options.more.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        classpath = compiled(work, options.gatling)
        if options.closed:
            return print_closed(options, work, classpath)
        for _ in range(options.pairs):
            pairs.append(pair(options, work, classpath, len(pairs) % 2 == 1))
            if options.more:
                options.more.write_text(json.dumps(pairs))
    print_summary(options, pairs)


if __name__ == "__main__":
    main()
