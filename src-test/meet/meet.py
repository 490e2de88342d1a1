#!/usr/bin/env python3
"""Runs the shards of a plan as processes with --meet, against a service that records when each request arrived.

    python3 src-test/meet/meet.py [--jar cli/target/downbeat.jar] [--s3proxy JAR] [TRIAL...]

Trials: file, tcp, s3 (needs the jar of S3Proxy), late, killed, clock (needs faketime), vanished, stranger, missing, stop, again.
Prints a line per trial with details and exits with 1 if one fails. Times depend on the machine: they are printed, but not checked.
"""
import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARDS = 4
RATE = 200
SECONDS = 8
JAVA = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar"]
wrong = 0


def trial(name, right, more=""):
    global wrong
    wrong += not right
    print(f"{'ok      ' if right else 'WRONG   '}{name}{': ' + more if more else ''}", flush=True)


class Service:
    """Answers requests and records the time and the client's port of each."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = self.listener.getsockname()[1]
        self.came = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            one, peer = self.listener.accept()
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(one, peer[1]), daemon=True).start()

    def serve(self, one, port):
        rest = b""
        with one:
            while data := one.recv(65536):
                now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                rest += data
                while b"\r\n\r\n" in rest:
                    _, rest = rest.split(b"\r\n\r\n", 1)
                    self.came.append((now, port))
                    one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def ports_of(pid):
    """The local ports of a process's connections."""
    try:
        held = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
    except OSError:
        return set()
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            words = line.split()
            if f"socket:[{words[9]}]" in held:
                found.add(int(words[1].rsplit(":", 1)[1], 16))
    return found


class Trials:
    def __init__(self, given, folder):
        self.jar, self.s3proxy, self.folder = given.jar, given.s3proxy, folder
        self.service = Service()
        self.environment = dict(os.environ)

    def downbeat(self, *words, **more):
        return subprocess.run([*JAVA, self.jar, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=self.environment, **more)

    def plan(self, name, seconds=SECONDS):
        at = self.folder / f"{name}.json"
        self.downbeat("plan", f"http://127.0.0.1:{self.service.port}/", "-R", RATE, "-d", f"{seconds}s", "--arrivals", "constant", "-c", 16,
                      "--shards", SHARDS, "--accept-unsound", "-o", at).check_returncode()
        return at

    def shard(self, name, plan, where, index, *more, under=()):
        log = (self.folder / f"{name}-{index}.log").open("w")
        return subprocess.Popen([*under, *JAVA, str(self.jar), "run", "--plan", str(plan), "--shard", f"{index}/{SHARDS}", "--meet", where, "-q",
                                 "-o", f"{name}-{index}.downbeat", *more], stdout=subprocess.DEVNULL, stderr=log, cwd=self.folder, env=self.environment)

    def log_of(self, name, index):
        return " / ".join((self.folder / f"{name}-{index}.log").read_text().strip().splitlines())

    def merged(self, name, *more):
        files = sorted(self.folder.glob(f"{name}-*.downbeat")) + [
            part for part in sorted(self.folder.glob(f"{name}-*.downbeat.part")) if not part.with_suffix("").exists()]
        out = self.folder / f"{name}.json.out.json"
        output = self.downbeat("merge", *files, "--accept-unsound", "-o", out, *more)
        return (json.loads(out.read_text()) if out.exists() else {}), output

    def run(self, name, where, starts=None, plan=None, watch=True, under=None, shards=range(SHARDS), **more):
        """Runs the shards to their end; returns exit codes, arrivals by shard and the output of 'downbeat watch'."""
        plan = plan or self.plan(name)
        began = len(self.service.came)
        owners, processes = {}, {}
        onlooker = None
        pending = {index: (starts or {}).get(index, 0) for index in shards}
        t0 = time.time()
        looked = 0
        actions = sorted(more.get("actions", []), key=lambda each: each[0])
        while pending or any(each.poll() is None for each in processes.values()):
            for index in [each for each, at in pending.items() if time.time() - t0 >= at]:
                processes[index] = self.shard(name, plan, where, index, *more.get("words", ()), under=(under or {}).get(index, ()))
                del pending[index]
            if watch and onlooker is None and len(self.service.came) > began:
                onlooker = subprocess.Popen([*JAVA, str(self.jar), "watch", where, "--plan", str(plan)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            text=True, cwd=self.folder, env=self.environment)
            if actions and len(self.service.came) > began:
                seconds, action = actions.pop(0)
                threading.Timer(seconds - (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - self.service.came[began][0]) / 1e9, action, [processes]).start()
            for index, process in processes.items() if time.time() - looked > 0.7 else ():
                for port in ports_of(process.pid):
                    owners.setdefault(port, index)
            looked = time.time() if time.time() - looked > 0.7 else looked
            time.sleep(0.2)
        watched = onlooker.communicate(timeout=60) if onlooker else ("", "")
        by_shard = {}
        for at, port in self.service.came[began:]:
            by_shard.setdefault(owners.get(port), []).append(at)
        return [processes[index].returncode for index in sorted(processes)], by_shard, watched

    def starts(self, by_shard):
        """When each shard began by the service's clock, in ms: the least delay of its requests after their intended times."""
        begins = {}
        for index, came in sorted((each for each in by_shard.items() if each[0] is not None)):
            came = sorted(came)
            begins[index] = min(at - (k * SHARDS + index) * 1_000_000_000 // RATE for k, at in enumerate(came))
        first = min(begins.values())
        return {index: round((at - first) / 1e6, 3) for index, at in begins.items()}

    def together(self, name, where):
        codes, by_shard, watched = self.run(name, where)
        whole, output = self.merged(name)
        begins = self.starts(by_shard)
        total = sum(map(len, by_shard.values()))
        live = [line for line in watched[0].splitlines() if "whole run" in line or line.startswith("  done")]
        mine = {key: whole.get("response", {}).get(key) for key in ("p50_ns", "p99_ns", "max_ns")}
        trial(name, codes == [0] * SHARDS and total == RATE * SECONDS == whole.get("ledger", {}).get("answered"),
              f"exit codes {codes}; starts {begins} ms; {total} requests arrived, {RATE * SECONDS} planned")
        single = sorted(k * 1_000_000_000 // RATE for k in range(RATE * SECONDS))
        came = sorted(at for all_ in by_shard.values() for at in all_)
        late = [(at - came[0]) - intended for at, intended in zip(came, single)]
        print(f"         delay after the schedule of a single run, per request: median {statistics.median(late) / 1e6:.3f} ms, "
              f"p90 {sorted(late)[len(late) * 9 // 10] / 1e6:.3f} ms")
        print("         live:   " + " | ".join(" ".join(each.split()) for each in live))
        print(f"         merged: {whole.get('ledger', {}).get('answered')} answered, " + str(mine))

    def file(self):
        self.together("file", f"file:{self.folder}/meet-file")

    def tcp(self):
        self.together("tcp", f"tcp:127.0.0.1:{free_port()}")

    def s3(self):
        home = self.folder / "s3"
        (home / "store/results").mkdir(parents=True)
        port = free_port()
        (home / "conf").write_text(f"s3proxy.endpoint=http://127.0.0.1:{port}\ns3proxy.authorization=aws-v2-or-v4\ns3proxy.identity=somebody\n"
                                   f"s3proxy.credential=hush\njclouds.provider=filesystem\njclouds.filesystem.basedir={home}/store\n")
        store = subprocess.Popen([*JAVA[:-1], "-Xmx256m", "-jar", self.s3proxy, "--properties", home / "conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.environment.update(AWS_ENDPOINT_URL_S3=f"http://127.0.0.1:{port}", AWS_ACCESS_KEY_ID="somebody", AWS_SECRET_ACCESS_KEY="hush", AWS_REGION="eu-west-1")
        try:
            time.sleep(6)
            self.together("s3", "s3://results/nightly")
        finally:
            store.kill()
            store.wait()

    def late(self):
        codes, by_shard, _ = self.run("late", f"file:{self.folder}/meet-late", starts={2: 20}, watch=False)
        whole, _ = self.merged("late")
        trial("late", codes == [0] * SHARDS, f"shard 2 started 20 s late; exit codes {codes}; starts {self.starts(by_shard)} ms; {whole['ledger']['answered']} answered")

    def killed(self):
        def kill(processes):
            processes[2].kill()
            self.at = time.time()
        codes, by_shard, watched = self.run("killed", f"file:{self.folder}/meet-killed", actions=[(3, kill)])
        whole, output = self.merged("killed")
        print("         shard 0 printed: " + self.log_of("killed", 0))
        for line in watched[0].splitlines():
            if "shard 2" in line or "done" in line[:8]:
                print("         watch: " + line.strip())
        print("         merge: " + json.dumps(whole.get("ledger")) + " " + output.stderr.strip()[:300])
        trial("killed", codes[2] == -9 and [codes[i] for i in (0, 1, 3)] == [0, 0, 0] and "shard 2 sends no heartbeat" in self.log_of("killed", 0), f"exit codes {codes}")

    def clock(self):
        under = {1: ("env", "FAKETIME=+3s", "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")}
        self.environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        codes, by_shard, _ = self.run("clock", f"file:{self.folder}/meet-clock", under=under, watch=False)
        whole, output = self.merged("clock")
        print("         shard 1 printed: " + self.log_of("clock", 1))
        trial("clock", codes == [0] * SHARDS and output.returncode == 0, f"exit codes {codes}; merge {output.returncode} {output.stderr.strip()[:200]}; "
              f"requests by shard {dict((k, len(v)) for k, v in by_shard.items())}; starts {self.starts(by_shard)} ms")

    def vanished(self):
        place = self.folder / "meet-vanished"
        def vanish(processes):
            place.rename(f"{place}-away")
            place.write_text("not a folder")
        codes, by_shard, _ = self.run("vanished", f"file:{place}", actions=[(3, vanish)], watch=False)
        whole, _ = self.merged("vanished")
        print("         shard 1 printed: " + self.log_of("vanished", 1))
        trial("vanished", codes == [0] * SHARDS and whole["ledger"]["answered"] == RATE * SECONDS, f"exit codes {codes}; {whole['ledger']['answered']} answered")

    def stranger(self):
        where = f"tcp:127.0.0.1:{free_port()}"
        plan, other = self.plan("stranger"), self.plan("other")
        mine = {i: self.shard("stranger", plan, where, i) for i in (0, 1, 2)}
        time.sleep(3)
        foreign = self.shard("other", other, where, 3)
        code = foreign.wait(60)
        stopping = self.downbeat("stop", where, "--plan", other)
        mine[3] = self.shard("stranger", plan, where, 3)
        codes = [mine[i].wait(90) for i in range(SHARDS)]
        print("         the stranger's shard: " + self.log_of("other", 3))
        print("         the stranger's stop:  " + stopping.stderr.strip())
        trial("stranger", code == 1 and stopping.returncode == 1 and codes == [0] * SHARDS, f"exit codes {code}, {stopping.returncode}; the others {codes}")

    def missing(self):
        codes, _, _ = self.run("missing", f"file:{self.folder}/meet-missing", shards=(0, 1, 3), watch=False, words=("--meet-timeout", "6s"))
        print("         shard 1 printed: " + self.log_of("missing", 1))
        trial("missing", codes == [1, 1, 1], f"exit codes {codes}")
        codes, by_shard, _ = self.run("without", f"file:{self.folder}/meet-without", shards=(0, 1, 3), watch=False, words=("--meet-timeout", "6s", "--without-missing"))
        whole, output = self.merged("without")
        print("         shard 3 printed: " + self.log_of("without", 3))
        trial("without-missing", codes == [0, 0, 0] and whole["ledger"]["answered"] == RATE * SECONDS, f"exit codes {codes}; {whole['ledger']['answered']} answered, by shard {dict((k, len(v)) for k, v in by_shard.items())}")

    def stop(self):
        where, plan = f"file:{self.folder}/meet-stop", self.plan("stop", seconds=30)
        output = []
        codes, by_shard, watched = self.run("stop", where, plan=plan, actions=[(3, lambda _: output.append(self.downbeat("stop", where, "--plan", plan)))])
        whole, merge = self.merged("stop")
        ledger = whole.get("ledger", {})
        print("         " + output[0].stdout.strip() + "; merge: " + json.dumps(ledger))
        trial("stop", codes == [130] * SHARDS and ledger.get("adds_up") is True, f"exit codes {codes}")

    def again(self):
        where, plan = f"file:{self.folder}/meet-again", self.plan("again")
        for turn in (1, 2):
            codes, by_shard, _ = self.run("again", where, plan=plan, watch=False)
            trial(f"again, submission {turn}", codes == [0] * SHARDS, f"exit codes {codes}; starts {self.starts(by_shard)} ms")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jar", type=Path, default=ROOT / "cli/target/downbeat.jar")
    parser.add_argument("--s3proxy", type=Path)
    parser.add_argument("trials", nargs="*")
    given = parser.parse_args()
    given.jar = given.jar.resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        trials = Trials(given, Path(name))
        for each in given.trials or ["file", "tcp", "late", "killed", "clock", "vanished", "stranger", "missing", "stop", "again"]:
            getattr(trials, each)()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
