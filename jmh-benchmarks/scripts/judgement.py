#!/usr/bin/env python3
"""Compares Downbeat's conclusions with known truths: on busy machines, for stalling services and for healthy ones.

usage: judgement.py starved|alone|freezes|healthy|pairs [RUNS]

starved  a client that shares one core with four busy loops, 2,500/s, 32 connections, with and without a freeze of 3 s;
         must not report a sound measurement with a wrong median
alone    the same freeze and a client with all cores; must be sound
freezes  freezes of known start and length; prints the incidents found next to them
healthy  an undisturbed nginx, 500/s for 8 s (40 runs); prints how often the measurement is unsound, why, and incidents
pairs    two identical nginx in turns, 500/s for 10 s each (10 pairs); prints the comparison

Needs Linux; loopback only. Stops all processes that it started, by pid.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
started = []


def start(*command, **options):
    process = subprocess.Popen(command, **options)
    started.append(process)
    return process


def serve():
    server = start(DOWNBEAT, "serve", "--port", "0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in server.stdout:
        for word in line.split():
            if word.startswith("http:"):
                return server, word
    raise SystemExit("the test server did not start")


def run(url, *words, core=None):
    """Starts a measurement; returns its process, which prints JSON."""
    pin = ["taskset", "-c", str(core)] if core is not None else []
    return start(*pin, DOWNBEAT, "run", url, *words, "--json", "-q", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def end(process):
    text, _ = process.communicate(timeout=300)
    return process.returncode, json.loads(text) if text.strip() else {}


def freeze(server, begin, after, seconds):
    """Stops the server `after` seconds after `begin`; returns the true start and length."""
    time.sleep(max(0.0, begin + after - time.monotonic()))
    frozen = time.monotonic()
    server.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    server.send_signal(signal.SIGCONT)
    return frozen, time.monotonic() - frozen


def ms(nanos):
    return "-" if nanos is None else f"{nanos / 1e6:,.1f} ms"


def line(code, result):
    reasons = ",".join(r["code"] for r in result["verdict"]["reasons"])
    return (
        f"exit {code}  {result['verdict']['measurement']}  p50 {ms(result['response']['p50_ns'])}"
        f"  p99 {ms(result['response']['p99_ns'])}  {reasons}"
    )


def incidents(result):
    found = result.get("incidents") or []
    return "; ".join(json.dumps(incident) for incident in found) or "none"


def measured_with_freezes(url, server, freezes, *words, core=None):
    process = run(url, *words, core=core)
    begin = time.monotonic()
    truth = [freeze(server, begin, after, seconds) for after, seconds in freezes]
    code, result = end(process)
    began = result.get("started_monotonic_ns", 0) / 1e9
    return code, result, [(at - began, length) for at, length in truth]


def starved(runs):
    for label, freezes in (("freeze of 3 s", [(9.0, 3.0)]), ("no freeze", [])):
        for _ in range(runs):
            server, url = serve()
            loops = [start("taskset", "-c", "0", "sh", "-c", "while :; do :; done") for _ in range(4)]
            words = ["-R", "2500", "-c", "32", "-d", "15s"]
            code, result, _ = measured_with_freezes(url, server, freezes, *words, core=0)
            for each in [*loops, server]:
                stop(each)
            wrong = result["verdict"]["measurement"].startswith("sound") and result["response"]["p50_ns"] > 10e6
            print(f"starved, {label}: {line(code, result)}{'   WRONG' if wrong else ''}", flush=True)


def alone(runs):
    for _ in range(runs):
        server, url = serve()
        code, result, _ = measured_with_freezes(url, server, [(8.0, 3.0)], "-R", "2500", "-c", "32", "-d", "15s")
        stop(server)
        print(f"alone, freeze of 3 s: {line(code, result)}", flush=True)


def freezes(runs):
    cases = [[(7.0, s)] for s in (0.3, 1.0, 2.7, 4.2)] + [[(6.0, 2.0), (11.0, 3.0)]]
    for _ in range(runs):
        for case in cases:
            for arrivals in ("constant", "poisson"):
                server, url = serve()
                words = ["-R", "500", "-d", "18s", "--arrivals", arrivals]
                code, result, truth = measured_with_freezes(url, server, case, *words)
                stop(server)
                frozen = ", ".join(f"{length:.3f} s from {at:.3f} s" for at, length in truth)
                print(f"{arrivals}: truth {frozen}\n  found {incidents(result)}\n  {line(code, result)}", flush=True)


class Nginx:
    """An nginx on its own port that answers at once."""

    def __init__(self, port):
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.folder = folder = pathlib.Path(tempfile.mkdtemp())
        self.url = f"http://127.0.0.1:{port}/"
        (folder / "nginx.conf").write_text(
            f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log crit; events {{}}\n"
            f"http {{ access_log off; keepalive_requests 1000000; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;"
            f" fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;"
            f" server {{ listen 127.0.0.1:{port}; location / {{ return 200 hello; }} }} }}\n"
        )
        self.process = start(nginx, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf"))
        time.sleep(1)

    def close(self):
        stop(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)


def healthy(runs):
    server = Nginx(18479)
    words, stalls = {}, 0
    for _ in range(runs):
        code, result = end(run(server.url, "-R", "500", "-d", "8s"))
        verdict = result["verdict"]["measurement"]
        words[verdict] = words.get(verdict, 0) + 1
        stalls += bool(result.get("incidents"))
        print(f"healthy: {line(code, result)}  steal {ms(result['health'].get('steal_ns'))}  {incidents(result)}", flush=True)
    server.close()
    print(f"healthy, {runs} runs: {words}, with an incident: {stalls}")


def pairs(runs):
    one, two = Nginx(18479), Nginx(18480)
    for _ in range(runs):
        command = [DOWNBEAT, "compare", "--live", one.url, two.url, "-R", "500", "-d", "10s", "-q"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        output = " / ".join(text.strip() for text in done.stdout.splitlines() if text.strip())
        print(f"pair: exit {done.returncode}  {output[:240]}", flush=True)
    one.close()
    two.close()


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()


PARTS = {"starved": (starved, 10), "alone": (alone, 10), "freezes": (freezes, 1), "healthy": (healthy, 40), "pairs": (pairs, 10)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
        raise SystemExit(__doc__)
    part, usual = PARTS[sys.argv[1]]
    try:
        part(int(sys.argv[2]) if len(sys.argv) > 2 else usual)
    finally:
        for process in started:
            stop(process)
