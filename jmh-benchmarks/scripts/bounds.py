#!/usr/bin/env python3
"""Checks that the bounds of `run` hold for a service of known times when the client is starved in various ways.

    jmh-benchmarks/scripts/bounds.py [--seconds 5] [--seed 1] [--keep FOLDER] [CASE...]

A case is WAY, WAY/cliff, WAY/freeze or WAY/cliff/freeze; the default is a set of forty. WAY is alone, duty:20 (stopped for 20 of
each 100 ms), quota:20 (a control group with 20 % of a CPU), cpulimit:20, loops:4 (four busy loops on the client's core), bursts:4
(the same for 60 of each 200 ms), or two of them joined by +. "freeze" stops the service once for 250 ms; "cliff" makes 4 % of its
requests take ten times as long as the others.

BoundsServer.go records when each request arrived, began and ended, and when the service itself was paused. The truth is what a
client would have seen that sends on time and reads at once: the same demands in the same order, at the intended times, in the same
queue, with the same pauses. Each percentile must satisfy: response - response_ours_at_most <= truth <= response.
Each run has objectives with a limit of about three times the truth and of about half of it, at p50, p95 and p99. None of the former
may be reported as missed. Without other load and with loops, each of the latter must be, at p95 and p99. (A client that gets the
CPU every 15 ms cannot tell 5 ms from 2.)

Prints a Markdown table and exits with 1 if a check fails. A run takes 4 s more than --seconds. Needs Linux, a JDK and Go; some cases
need cpulimit or a writable CPU control group and are otherwise "not shown". The service gets real-time priority if permitted.
Load goes to 127.0.0.1 only.
"""
import argparse
import bisect
import heapq
import json
import math
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
DOWNBEAT = os.environ.get("DOWNBEAT", str(HERE.parent.parent / "downbeat"))
GROUPS = pathlib.Path("/sys/fs/cgroup/cpu")
WORKERS, CONNECTIONS = 16, 64
RATES = (600, 1000, 1500)
FREEZE_AT, FREEZE = 2.0, 0.25
PERCENTILES = (50, 75, 90, 95, 99, 99.9, 100)
ASKED = (50, 95, 99)
HOLDS, MISSES = 3.3, 0.45
# For the kernel and the histogram's buckets. The slowest request of all may have met a pause of the machine itself.
SLACK_MS, SLACK_MAX_MS, SLACK_SHARE = 0.5, 2.0, 0.03
# Which request meets a freeze or a queue is random, so the demands are shuffled this many times.
SHUFFLES = 6
# A worker sleeps for its demand; it wakes up at most this much later, unless the service is paused.
OVERSLEPT = 1_000_000
WAYS = [f"duty:{part}" for part in (5, 10, 20, 30, 50)] + [f"quota:{part}" for part in (10, 20, 30, 50)] + [
    f"cpulimit:{part}" for part in (20, 30, 50)] + [f"loops:{count}" for count in (2, 4, 8)] + [
    f"bursts:{count}" for count in (2, 4, 8)] + ["duty:20+loops:2", "alone"]
MIXED = [f"{way}{more}" for i, way in enumerate(WAYS) for more in (("", "/cliff/freeze") if i % 2 else ("/cliff", "/freeze"))]


class Service:
    def __init__(self, folder, core):
        binary = str(folder / "service")
        subprocess.run(["go", "build", "-o", binary, str(HERE / "BoundsServer.go")], check=True)
        self.process = subprocess.Popen(["taskset", "-c", str(core), binary], stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "GOMAXPROCS": "1", "GOGC": "400"})
        self.pid = self.process.pid
        self.port, self.control = map(int, self.process.stdout.readline().split())
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            subprocess.run(["chrt", "-f", "-p", "5", thread], stderr=subprocess.DEVNULL, check=False)

    def ask(self, what):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.control}/{what}", timeout=20) as answer:
            return answer.read()

    def freeze(self):
        os.kill(self.pid, signal.SIGSTOP)
        time.sleep(FREEZE)
        os.kill(self.pid, signal.SIGCONT)

    def seen(self):
        """The served requests as (arrived, began, ended, demand), and the pauses; in ns of the monotonic clock."""
        raw = self.ask("log")
        requests, stills = struct.unpack_from("<2q", raw)
        numbers = struct.unpack_from(f"<{4 * requests + 2 * stills}q", raw, 16)
        served = sorted(zip(*(numbers[i:4 * requests:4] for i in range(4))))
        return served, list(zip(numbers[4 * requests::2], numbers[4 * requests + 1::2]))

    def close(self):
        self.process.kill()
        self.process.wait()


class Harm:
    """Starves a process from its first request on, until end() is called."""

    def __init__(self, way, pid, core):
        self.over = threading.Event()
        self.others = []
        self.threads = []
        self.group = None
        for part in way.split("+"):
            kind, _, amount = part.partition(":")
            if kind != "alone":
                getattr(self, kind)(pid, int(amount), core)

    def begin(self, target):
        self.threads.append(threading.Thread(target=target, daemon=True))
        self.threads[-1].start()

    def duty(self, pid, percent, _core):
        def run():
            while not self.over.is_set():
                os.kill(pid, signal.SIGSTOP)
                time.sleep(percent / 1000)
                os.kill(pid, signal.SIGCONT)
                time.sleep((100 - percent) / 1000)
        self.begin(run)

    def quota(self, pid, percent, _core):
        self.group = GROUPS / f"downbeat-bounds-{os.getpid()}"
        self.group.mkdir()
        (self.group / "cpu.cfs_quota_us").write_text(str(percent * 1000))
        (self.group / "cgroup.procs").write_text(str(pid))

    def cpulimit(self, pid, percent, _core):
        self.others.append(subprocess.Popen(["cpulimit", "-q", "-z", "-p", str(pid), "-l", str(percent)],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def loops(self, _pid, count, core):
        for _ in range(count):
            self.others.append(subprocess.Popen(["taskset", "-c", str(core), "sh", "-c", "while :; do :; done"]))

    def bursts(self, pid, count, core):
        self.loops(pid, count, core)

        def run():
            while not self.over.is_set():
                for sign, length in ((signal.SIGSTOP, 0.14), (signal.SIGCONT, 0.06)):
                    for one in self.others:
                        os.kill(one.pid, sign)
                    time.sleep(length)
        self.begin(run)

    def end(self, pid):
        self.over.set()
        for thread in self.threads:
            thread.join()
        for one in self.others:
            one.terminate()
            os.kill(one.pid, signal.SIGCONT)
            one.wait()
        os.kill(pid, signal.SIGCONT)  # cpulimit may have left it stopped
        if self.group:
            (self.group / "cpu.cfs_quota_us").write_text("-1")

    def forget(self):
        if self.group:
            self.group.rmdir()


def is_there(way):
    lacks = "cpulimit" in way and not shutil.which("cpulimit")
    return not (lacks or "quota" in way and not os.access(GROUPS / "cgroup.procs", os.W_OK))


def after(at, stills, ends):
    """The time itself, or the end of the pause that contains it."""
    place = bisect.bisect_right(ends, at)
    return ends[place] if place < len(ends) and stills[place][0] <= at else at


def through(arrivals, demands, stills):
    """Response times in ns, sorted, if all workers share one queue."""
    free = [0] * WORKERS
    ends = [until for _, until in stills]
    times = []
    for at, demand in zip(arrivals, demands):
        end = after(after(max(at, heapq.heappop(free)), stills, ends) + demand, stills, ends)
        heapq.heappush(free, end)
        times.append(end - at)
    return sorted(times)


def shuffled(arrivals, demands, stills, lots):
    """The same with other demands, and another order of the requests that arrive during a pause."""
    order = list(range(len(arrivals)))
    for begin, until in stills:
        first = bisect.bisect_left(arrivals, begin)
        together = order[first:min(bisect.bisect_left(arrivals, until), first + CONNECTIONS)]
        lots.shuffle(together)
        order[first:first + len(together)] = together
    return through([arrivals[i] for i in order], lots.sample(demands, len(demands)), stills)


def at_rank(times, percentile):
    return times[max(1, math.ceil(len(times) * percentile / 100 - 1e-9)) - 1] / 1e6


def law(index, seed, cliff):
    """As in BoundsServer.go."""
    mask = (1 << 64) - 1
    x = (seed * 1000003 + index + 0x9E3779B97F4A7C15) & mask
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
    u = (((x ^ x >> 31) >> 11) + 0.5) / (1 << 53)
    return (40e6 if u < 0.04 else 4e6) if cliff else (3 - 2 * math.log(u)) * 1e6


def expected(rate, seconds, seed, cliff, freeze):
    count = int(rate * seconds)
    stills = [(FREEZE_AT * 1e9, (FREEZE_AT + FREEZE) * 1e9)] if freeze else []
    return through([i * 1e9 / rate for i in range(count)], [law(i, seed, cliff) for i in range(count)], stills)


def measure(service, case, number, seconds, seed, folder, core):
    way, *more = case.split("/")
    cliff, freeze = "cliff" in more, "freeze" in more
    rate = RATES[number % len(RATES)]
    service.ask(f"reset?law={'cliff' if cliff else 'plain'}&seed={seed}")
    calm = expected(rate, seconds, seed, cliff, freeze)
    limits = [f"p{p}<{at_rank(calm, p) * factor:.2f}ms" for p in ASKED for factor in (HOLDS, MISSES)]
    out = folder / f"{case.replace('/', '-')}.json"
    client = subprocess.Popen(
        ["taskset", "-c", str(core), DOWNBEAT, "run", f"http://127.0.0.1:{service.port}/", "-R", str(rate), "-d", f"{seconds}s",
         "--arrivals", "constant", "--seed", f"{seed:x}", "-q", "-o", str(out), *(f"--slo={limit}" for limit in limits)],
        stdout=subprocess.DEVNULL)
    while not int(service.ask("seen")) and client.poll() is None:
        time.sleep(0.02)
    harm = Harm(way, client.pid, core)
    if freeze:
        threading.Timer(FREEZE_AT, service.freeze).start()
    before = 0
    deadline = time.time() + 10 * seconds
    while time.time() < deadline and client.poll() is None:
        time.sleep(0.7)
        now = int(service.ask("seen"))
        if now >= rate * seconds or now == before:
            break
        before = now
    time.sleep(0.3)
    harm.end(client.pid)
    client.wait(timeout=60)
    harm.forget()
    return json.loads(out.read_text()), service.seen(), rate


def name_of(percentile):
    return "max" if percentile == 100 else f"p{percentile}".replace(".", "_")


def judge(run, served, stills, rate):
    """Rows of (percentile, lower, truth, upper, bounded), and objectives as (text, status, truth / limit)."""
    start = run["started_monotonic_ns"]
    arrivals = [start + i * 1e9 / rate for i in range(len(served))]
    demands = [min(done - began, takes + OVERSLEPT) for _, began, done, takes in served]
    truth = through(arrivals, demands, stills)
    lots = random.Random(len(served))
    orders = [truth] + [shuffled(arrivals, demands, stills, lots) for _ in range(SHUFFLES)]
    rows = []
    for percentile in PERCENTILES:
        upper = run["response"][name_of(percentile) + "_ns"]
        if upper is None:
            continue
        lower = upper - (run["response_ours_at_most"][name_of(percentile) + "_ns"] or 0)
        lower, upper = lower / 1e6, upper / 1e6
        truths = [at_rank(times, percentile) for times in orders]
        slack = SLACK_MAX_MS if percentile == 100 else SLACK_MS
        holds = min(truths) * (1 - SLACK_SHARE) - slack <= upper and lower <= max(truths) * (1 + SLACK_SHARE) + slack
        rows.append((percentile, lower, at_rank(truth, percentile), upper, holds))
    objectives = []
    for one in run["objectives"]:
        name, _, limit = one["text"].partition("<")
        if name[0] == "p":
            is_ms = limit.endswith("ms")
            limit = float(limit[:-2] if is_ms else limit[:-1]) * (1 if is_ms else 1000)
            objectives.append((one["text"], one["status"], at_rank(truth, float(name[1:])) / limit))
    return rows, objectives


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    cases = options.case or MIXED
    cores = sorted(os.sched_getaffinity(0))
    wrong = []
    sums = {"rows": 0, "bounded": 0, "hold": 0, "hold but red": 0, "missed": 0, "missed and red": 0}
    print("| client | service | rate | p50 | p95 | p99 | max | rows bounded | clearly met: red | clearly missed: red |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        service = Service(pathlib.Path(scratch), cores[0])
        try:
            for number, case in enumerate(cases):
                way, *more = case.split("/")
                if not is_there(way):
                    print(f"| {way} | {' '.join(more)} | not shown |", flush=True)
                    continue
                run, (served, stills), rate = measure(
                    service, case, number, options.seconds, options.seed + number, folder, cores[-1])
                rows, objectives = judge(run, served, stills, rate)
                shown = {row[0]: f"{row[1]:.1f} <= {row[2]:.1f} <= {row[3]:.1f}" for row in rows}
                hold = [one for one in objectives if one[2] <= 1 / 3]
                missed = [one for one in objectives if one[2] >= 2]
                false_red = [one for one in hold if one[1] == "missed"]
                red = [one for one in missed if one[1] == "missed"]
                bounded = [row for row in rows if row[4]]
                for key, value in zip(sums, (rows, bounded, hold, false_red, missed, red)):
                    sums[key] += len(value)
                wrong += [f"{case}: p{row[0]} {row[1]:.2f} <= {row[2]:.2f} <= {row[3]:.2f}" for row in rows if not row[4]]
                wrong += [f"{case}: {one[0]} is red at {one[2]:.2f} of the limit" for one in false_red]
                wrong += [f"{case}: {one[0]} is {one[1]} at {one[2]:.2f} of the limit" for one in missed
                          if one[1] != "missed" and ("loops" in way or way == "alone") and not one[0].startswith("p50")]
                print(f"| {way} | {' '.join(more)} | {rate} | " + " | ".join(shown.get(p, "") for p in (50, 95, 99, 100))
                      + f" | {len(bounded)} of {len(rows)} | {len(false_red)} of {len(hold)} | {len(red)} of {len(missed)} |", flush=True)
        finally:
            service.close()
    print(f"\n{len(cases)} runs: {sums['bounded']} of {sums['rows']} rows bounded; of {sums['hold']} clearly met objectives, "
          f"{sums['hold but red']} red; of {sums['missed']} clearly missed ones, {sums['missed and red']} red.")
    for line in wrong:
        print(f"- {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
