#!/usr/bin/env python3
"""Measures the heap bytes allocated per request, with a collector that frees nothing (Epsilon).

usage: allocation.py [SHAPE...]     of plain, post-1m, body-1m, tls-jdk, tls-boringssl, tls-1m-jdk, tls-1m-boringssl

Each shape runs twice, the second time with twice the requests. The additional bytes, less those that each second costs for handing
over intervals, are divided by the additional requests. The server is `downbeat serve` in another process. Shapes over the JDK's TLS
need one or two gigabytes of memory. Loopback only. The machine may be busy, since bytes are not time.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
MIB = 1 << 20
SHAPES = {  # requests of the shorter run, TLS, response bytes, further options
    "plain": (40_000, False, 300, []),
    "body-1m": (1_500, False, MIB, []),
    "post-1m": (1_500, False, 300, ["--data", "@BODY"]),
    "tls-jdk": (40_000, True, 300, []),
    "tls-boringssl": (40_000, True, 300, ["--tls-engine", "boringssl"]),
    "tls-1m-jdk": (700, True, MIB, []),
    "tls-1m-boringssl": (700, True, MIB, ["--tls-engine", "boringssl"]),
}


def serve(tls, body):
    command = [DOWNBEAT, "serve", "--port", "0", "--body", str(body)] + (["--tls"] if tls else [])
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = ""
    while "://" not in line:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server did not start")
    return server, re.search(r"https?://\S+?:\d+", line).group(0) + "/"


def allocated(url, requests, options, folder):
    log = folder / "gc"
    log.unlink(missing_ok=True)
    environment = dict(os.environ, DOWNBEAT_JAVA_OPTS=(
        "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xms64m -Xmx3g -XX:EpsilonMinHeapExpand=64m"
        f" -Xlog:gc=info:file={log}"))
    load = ["--closed", "8", "-n", str(requests)] if requests else []
    began = time.monotonic()
    done = subprocess.run(
        [DOWNBEAT, "run", url, *load, "-q", "--json"] + options,
        env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 98):
        sys.exit(done.stderr)
    sizes = re.findall(r"Heap: .*? (\d+)([KM]) \([\d.]+%\) used", log.read_text())
    if not sizes:
        sys.exit("the log has no heap size:\n" + log.read_text())
    number, unit = sizes[-1]
    return int(number) * (1024 if unit == "K" else MIB), time.monotonic() - began


def main(names):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "BODY").write_bytes(b"x" * MIB)
    print("| shape | requests | bytes per request | bytes per second |\n|---|--:|--:|--:|")
    for name in names:
        requests, tls, body, options = SHAPES[name]
        options = [word.replace("BODY", str(folder / "BODY")) for word in options] + (["-k"] if tls else [])
        server, url = serve(tls, body)
        try:
            time.sleep(0.5)
            idle = [allocated(url, 0, ["-R", "1", "-d", f"{n}s", *options], folder) for n in (3, 9)]
            each_second = (idle[1][0] - idle[0][0]) / 6
            less, more = (allocated(url, n, options, folder) for n in (requests, 2 * requests))
            bytes_more = more[0] - less[0] - each_second * (more[1] - less[1])
            print(f"| {name} | {requests:,} more | {bytes_more / requests:,.0f} | {each_second / 1e3:,.0f} kB |", flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(sys.argv[1:] or list(SHAPES))
