#!/usr/bin/env python3
"""Measures the cost of --watch for the service: the same load in turns (ABBA) without and with it. Service and Downbeat have a core
each. Build first: ./downbeat --version

    python3 jmh-benchmarks/scripts/watch-overhead.py [--turns 6] [--rate 4000] [--seconds 10] [--watch jvm|pid] [--why]

The warm-up is as long as the measurement and does not count: it includes attaching and the code that the service recompiles when its
recorder starts. Prints the service's CPU time per request and its response percentiles, without and with --watch, the ratio with a
95 % interval over the turns (Student's t on the logarithms of neighbours), and the CPU time by thread.
--why uses WhyService.java (16 threads that are parked between requests) instead of 'downbeat serve'.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
T975 = [0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]


def cpu_seconds(pid):
    """CPU seconds by thread name without numbers, from schedstat in nanoseconds: ticks of 10 ms are too coarse."""
    seconds = collections.Counter()
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            name = re.sub(r"[^A-Za-z]+", " ", (task / "comm").read_text()).strip()
            seconds[name] += int((task / "schedstat").read_text().split()[0]) / 1e9
        except OSError:
            pass  # the thread has ended
    return seconds


def ratio(alone, watched):
    logs = [math.log(b / a) for a, b in zip(alone, watched)]
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / max(1, len(logs) - 1) / len(logs))
    half = T975[min(len(logs) - 1, len(T975) - 1)] * spread
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def measured(data, looks, seconds, rate):
    """The values of a run, from its first request on."""
    begin = data["started_monotonic_ns"] / 1e9
    within = [(at, cpu) for at, cpu in looks if begin <= at <= begin + seconds]
    (from_at, from_cpu), (to_at, to_cpu) = within[0], within[-1]
    threads = {name: (to_cpu[name] - from_cpu[name]) / (to_at - from_at) / rate * 1e6 for name in to_cpu}
    values = {"CPU of service, us/request": sum(threads.values())}
    for percentile in ("p50", "p90", "p99"):
        values[percentile + ", us"] = data["response"][percentile + "_ns"] / 1e3
    return values, threads


def started(service):
    for line in service.stdout:
        found = re.search(r"127\.0\.0\.1:(\d+)", line) or re.fullmatch(r"(\d+)\s*", line)
        if found:
            threading.Thread(target=lambda: list(service.stdout), daemon=True).start()
            return int(found.group(1))
    sys.exit("the service did not print its port")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--rate", type=int, default=4000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--watch", default="jvm", choices=["jvm", "pid"])
    parser.add_argument("--why", action="store_true")
    options = parser.parse_args()
    first, last = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    downbeat = [str(ROOT / "downbeat")]
    command = ["java", str(HERE / "WhyService.java")] if options.why else downbeat + ["serve", "--port", "0"]
    service = subprocess.Popen(["taskset", "-c", str(first)] + command,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = f"http://127.0.0.1:{started(service)}/"
        load = ["taskset", "-c", str(last)] + downbeat + ["run", url, "-R", f"{options.rate}/s", "-q", "--accept-unsound"]
        subprocess.run(load + ["-d", "20s"], check=True, stdout=subprocess.DEVNULL)
        results = {False: {}, True: {}}
        threads = {False: collections.Counter(), True: collections.Counter()}
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(options.turns):
                for watched in ([False, True] if turn % 2 == 0 else [True, False]):
                    out = pathlib.Path(folder, "run.json")
                    more = ["--watch", f"{options.watch}:{service.pid}"] if watched else []
                    looks = []
                    run = subprocess.Popen(
                        load + ["-d", f"{options.seconds}s", "--warm-up", f"{options.seconds}s", "-o", str(out)] + more,
                        stdout=subprocess.DEVNULL)
                    while run.poll() is None:
                        looks.append((time.monotonic(), cpu_seconds(service.pid)))
                        time.sleep(0.02)
                    data = json.loads(out.read_text())
                    values, micros = measured(data, looks, options.seconds, options.rate)
                    threads[watched].update(micros)
                    for name, value in values.items():
                        results[watched].setdefault(name, []).append(value)
        for name in results[False]:
            alone, watched = results[False][name], results[True][name]
            print(f"{name:26} alone   " + " ".join(f"{x:8.1f}" for x in alone))
            print(f"{'':26} watched " + " ".join(f"{x:8.1f}" for x in watched))
            print(f"{'':26} watched / alone %.3f, 95 %% interval %.3f to %.3f" % ratio(alone, watched))
        print("\nCPU by thread, us/request: alone, watched")
        for name, _ in (threads[False] + threads[True]).most_common(8):
            print(f"{name:26} " + " ".join(f"{threads[way][name] / options.turns:8.2f}" for way in (False, True)))
    finally:
        service.terminate()


if __name__ == "__main__":
    main()
