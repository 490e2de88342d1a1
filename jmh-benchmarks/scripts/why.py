#!/usr/bin/env python3
"""Whether `run --watch` names what was done to a service: causes injected into WhyService.java, n runs each of 10 s.

    jmh-benchmarks/scripts/why.py [RUNS] [CAUSE...]

Prints a table in Markdown. Needs a JDK, Linux, and a machine on which nothing else runs; load goes to 127.0.0.1 only.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DOWNBEAT = str(HERE.parent.parent / "downbeat")
CAUSES = {
    "none": set(),
    "full-gc": {"full_collection"},
    "lock": {"lock_wait"},
    "pool": {"parked"},
    "fsync": {"file_write", "io_stall"},
    "stop": {"process_stopped"},
    "neighbour": {"processor_wait"},
}


def spells(seed):
    """Four instants of ten seconds."""
    lots = random.Random(seed)
    return [0.8 + 2.2 * (i + 0.8 * lots.random()) for i in range(4)]


def harm(cause, pid, begun, seed):
    """What is done from outside."""
    for at in spells(seed):
        time.sleep(max(0, begun + at - time.time()))
        if cause == "stop":
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.3)
            os.kill(pid, signal.SIGCONT)
        elif cause == "neighbour":
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8 * os.cpu_count())]
            time.sleep(0.7)
            for one in busy:
                one.kill()
                one.wait()


def measure(cause, seed, folder):
    java = ["java", "-Xmx1g", "-XX:+UseG1GC", str(HERE / "WhyService.java"), cause, str(seed)]
    service = subprocess.Popen(java, stdout=subprocess.PIPE, text=True)
    try:
        port = int(service.stdout.readline())
        out = pathlib.Path(folder, "run.json")
        saved = pathlib.Path(folder, "run.downbeat")
        run = subprocess.Popen(
            [DOWNBEAT, "run", f"http://127.0.0.1:{port}/", "-R", "300", "-d", "10s", "--warm-up", "3s", "-q", "--accept-unsound",
             "--watch", f"jvm:{service.pid}", "--watch", f"pid:{service.pid}", "-o", str(out), "-o", str(saved)],
            stdout=subprocess.DEVNULL)
        if cause in ("stop", "neighbour"):
            time.sleep(5.5)  # the client starts, attaches, and warms up
            harm(cause, service.pid, time.time(), seed)
        run.wait()
        return json.loads(out.read_text())
    finally:
        service.kill()
        service.wait()


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print("| done to the service | runs | named first | also named | nothing named | something else |")
    print("|---|---|---|---|---|---|")
    for cause in sys.argv[2:] or CAUSES:
        first = also = nothing = other = 0
        said = []
        for seed in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                why = measure(cause, seed, folder).get("why") or {}
            causes = [one["kind"] for one in (why.get("explanations") or [{}])[0].get("causes", [])]
            said.append(causes)
            if not causes:
                nothing += 1
            elif causes[0] in CAUSES[cause]:
                first += 1
            elif CAUSES[cause] & set(causes):
                also += 1
            else:
                other += 1
        print(f"| {cause} | {runs} | {first} | {also} | {nothing} | {other} |", flush=True)
        print(cause, said, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
