#!/usr/bin/env python3
"""Checks that `run --watch` names the causes injected into WhyService.java, one at a time and in pairs.

    jmh-benchmarks/scripts/why.py [--runs 5] [--first 0] [--seconds 7] [--young] [--keep FOLDER] [CASE...]

CASE is for example none, full-gc or lock+stop; lock:20 sets the number of its runs. The number of a run seeds its random times;
--first continues where earlier runs ended.

All runs share a service on its own core, after a minute of load with its recorder on; --young starts a new one for each run, without
the load. Each run injects every cause of the case three times at random times, those of a pair in turns. A pair counts as right if
both causes or one of them are named, and nothing else. Prints a Markdown table, and on stderr a line of JSON per run.
A run takes 4 s more than --seconds. Needs Linux and a JDK; "throttle" needs a writable CPU control group.
Load goes to 127.0.0.1 only.
"""
import argparse
import json
import os
import pathlib
import queue
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
DOWNBEAT = os.environ.get("DOWNBEAT", str(HERE.parent.parent / "downbeat"))
KINDS = {
    "full-gc": {"full_collection"},
    "lock": {"lock_wait"},
    "pool": {"parked", "waited"},  # threads with a permit sleep, the others are parked
    "fsync": {"file_write", "io_stall"},
    "stop": {"process_stopped"},
    "neighbour": {"processor_wait"},
    "throttle": {"throttled"},
}
CASES = ["none", *KINDS, "lock+full-gc", "pool+fsync", "stop+lock", "throttle+pool", "full-gc+stop"]
GROUPS = pathlib.Path("/sys/fs/cgroup/cpu")
# At equal priority, a service that is mostly idle gets the CPU at once, and its p99 is 4 ms: no harm done.
NEIGHBOUR = ["nice", "-n", "-5"]
TIMES = 3
WARM_UP = 2.0


class Service:
    def __init__(self, folder):
        self.core, self.other = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
        self.process = subprocess.Popen(
            ["taskset", "-c", str(self.core), "java", "-Xmx1g", "-XX:+UseG1GC", "-cp", folder, "WhyService"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self.port = int(self.process.stdout.readline())
        self.output = queue.Queue()
        threading.Thread(target=lambda: [self.output.put(line) for line in self.process.stdout], daemon=True).start()
        self.neighbours = []
        self.group = None

    def neighbour(self):
        if not self.neighbours:
            for _ in range(8):
                one = subprocess.Popen(NEIGHBOUR + ["taskset", "-c", str(self.core), sys.executable, "-c", "while True: pass"])
                os.kill(one.pid, signal.SIGSTOP)
                self.neighbours.append(one)
            time.sleep(0.5)
        for one in self.neighbours:
            os.kill(one.pid, signal.SIGCONT)
        time.sleep(0.7)
        for one in self.neighbours:
            os.kill(one.pid, signal.SIGSTOP)

    def throttle(self):
        (self.group / "cpu.cfs_quota_us").write_text("5000")
        time.sleep(0.3)
        (self.group / "cpu.cfs_quota_us").write_text("-1")

    def into_group(self):
        self.group = GROUPS / f"downbeat-why-{os.getpid()}"
        self.group.mkdir()
        (self.group / "cgroup.procs").write_text(str(self.pid))

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(self.pid, signal.SIGCONT)

    def harm(self, cause):
        if cause in ("neighbour", "throttle", "stop"):
            getattr(self, cause)()
        else:
            self.process.stdin.write(cause + "\n")
            self.process.stdin.flush()

    def load(self, rate, seconds, *more):
        return subprocess.Popen(
            ["taskset", "-c", str(self.other), DOWNBEAT, "run", f"http://127.0.0.1:{self.port}/", "-R", str(rate),
             "-d", f"{seconds}s", "-q", "--accept-unsound", "--watch", f"jvm:{self.pid}", *more], stdout=subprocess.DEVNULL)

    def close(self):
        self.process.kill()
        self.process.wait()
        for one in self.neighbours:
            one.kill()
            one.wait()
        if self.group:
            self.group.rmdir()


def measure(service, causes, seconds, seed, folder, kept):
    lots = random.Random(seed)
    part = (seconds - 1.2) / max(1, TIMES * len(causes))
    plan = [(WARM_UP + 0.3 + part * (i + 0.7 * lots.random()), cause) for i, cause in enumerate(causes * TIMES)]
    while not service.output.empty():
        service.output.get()
    out = pathlib.Path(folder, "run.json")
    run = service.load(300, seconds, "--warm-up", f"{WARM_UP}s", "-o", str(out),
                       *(["-o", str(kept)] if kept else []))
    service.output.get(timeout=60)
    begun = time.monotonic()
    for at, cause in plan:
        time.sleep(max(0, begun + at - time.monotonic()))
        service.harm(cause)
    run.wait()
    return json.loads(out.read_text())


def judge(causes, kinds):
    """Whether both causes were named, one, another or nothing."""
    others = kinds - set().union(*(KINDS[cause] for cause in causes))
    wanted = [bool(KINDS[cause] & kinds) for cause in causes]
    return "another" if others else "nothing" if not kinds else "both" if all(wanted) else "one"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=7)
    parser.add_argument("--young", action="store_true")
    parser.add_argument("cases", nargs="*", default=CASES)
    options = parser.parse_args()
    print("| injected | runs | all named | one of two named | another named | nothing named | p99, ms |")
    print("|---|---|---|---|---|---|---|")
    right = harmed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "-d", folder, str(HERE / "WhyService.java")], check=True)
        service = None
        try:
            for word in options.cases:
                case, _, own = word.partition(":")
                runs = int(own or options.runs)
                causes = [] if case == "none" else case.split("+")
                counts = dict.fromkeys(("both", "one", "another", "nothing"), 0)
                p99 = []
                for seed in range(options.first, options.first + runs):
                    if service is None:
                        service = Service(folder)
                        if GROUPS.is_dir() and os.access(GROUPS, os.W_OK):
                            service.into_group()
                        if not options.young:
                            service.load(1000, 30).wait()
                            service.load(300, 30).wait()
                    kept = options.keep and options.keep / f"{case}-{seed}.downbeat"
                    data = measure(service, causes, options.seconds, seed, folder, kept)
                    why = data.get("why") or {}
                    found = (why.get("explanations") or [{}])[0]
                    named = [(one["kind"], round(one["share"], 2), one["detail"]) for one in found.get("causes", [])]
                    counts[judge(causes, {one[0] for one in named})] += 1
                    p99.append(data["response"]["p99_ns"] / 1e6)
                    print(json.dumps({"case": case, "seed": seed, "named": named, "p99_ms": p99[-1],
                                      "p50_ms": data["response"]["p50_ns"] / 1e6, "line": why.get("text"),
                                      "notes": why.get("notes")}), file=sys.stderr, flush=True)
                    if options.young:
                        service.close()
                        service = None
                harmed += runs if causes else 0
                right += counts["both"] + counts["one"] if causes else 0
                print(f"| {case} | {runs} | " + " | ".join(str(count) for count in counts.values())
                      + f" | {statistics.median(p99):,.1f} |", flush=True)
            print(f"\n{right} of {harmed} runs with injected causes name these and nothing else.")
        finally:
            if service:
                service.close()


if __name__ == "__main__":
    main()
