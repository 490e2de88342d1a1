#!/usr/bin/env python3
"""What being watched costs a service: the same load on one service, in turns (ABBA) without and with --watch, and what the
service's processors did meanwhile. Build first: ./downbeat --version

    python3 jmh-benchmarks/scripts/watch-overhead.py [--turns 6] [--rate 4000] [--seconds 10] [--watch jvm|pid]

Prints the CPU time of the service per request, each way, with the 95 % interval of the ratio over the turns (Student's t on
the logarithms of neighbours), and what 'downbeat compare' says of the response times.
"""
import argparse
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
T975 = [0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--turns", type=int, default=6)
    words.add_argument("--rate", type=int, default=4000)
    words.add_argument("--seconds", type=int, default=10)
    words.add_argument("--watch", default="jvm", choices=["jvm", "pid"])
    words = words.parse_args()
    downbeat = [str(ROOT / "downbeat")]
    service = subprocess.Popen(downbeat + ["serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = None
        for line in service.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+/?", line)
            if found:
                url = found.group(0)
                break
        if url is None:
            sys.exit("the service did not say where it listens")
        load = downbeat + ["run", url, "-R", f"{words.rate}/s", "-q", "--accept-unsound"]
        subprocess.run(load + ["-d", "10s"], check=True, stdout=subprocess.DEVNULL)
        with tempfile.TemporaryDirectory() as folder:
            files = {False: [], True: []}
            costs = {False: [], True: []}
            for turn in range(words.turns):
                for watched in ([False, True] if turn % 2 == 0 else [True, False]):
                    name = f"{folder}/{'watched' if watched else 'alone'}-{turn}.downbeat"
                    more = ["--watch", f"{words.watch}:{service.pid}"] if watched else []
                    before = cpu_seconds(service.pid)
                    subprocess.run(load + ["-d", f"{words.seconds}s", "-o", name] + more, check=True, stdout=subprocess.DEVNULL)
                    costs[watched].append((cpu_seconds(service.pid) - before) / (words.rate * words.seconds) * 1e6)
                    files[watched].append(name)
            logs = [math.log(b / a) for a, b in zip(costs[False], costs[True])]
            mean = sum(logs) / len(logs)
            spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / max(1, len(logs) - 1) / len(logs))
            half = T975[min(len(logs) - 1, len(T975) - 1)] * spread
            print("CPU of the service, us a request   alone " + " ".join(f"{x:.1f}" for x in costs[False]))
            print("                                 watched " + " ".join(f"{x:.1f}" for x in costs[True]))
            print(f"watched / alone {math.exp(mean):.3f}, 95 % interval {math.exp(mean - half):.3f} to {math.exp(mean + half):.3f}"
                  " (attaching and starting the recorder included)")
            subprocess.run(downbeat + ["compare", *files[False], "--against", *files[True], "--tolerance", "1%", "--accept-unsound"])
    finally:
        service.terminate()


if __name__ == "__main__":
    main()
