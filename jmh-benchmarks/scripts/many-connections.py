#!/usr/bin/env python3
"""Measures the memory of an idle connection: opens many, sends few requests, and reads the client's resident memory and the heap in
use after a full collection.

usage: many-connections.py [--tls-engine ENGINE] [--plain] [--heap SIZE] COUNT...

  many-connections.py 1000 10000               TLS by the JDK: kB per additional connection, and peak memory
  many-connections.py --plain 1000 10000 19000

Each connection needs a file descriptor on both sides and a local port. Prints the limits of both and skips counts beyond them.
Loopback only.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))


def serve(tls):
    command = [DOWNBEAT, "serve", "--port", "0", "--body", "300"] + (["--tls"] if tls else [])
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = ""
    while "://" not in line:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server did not start")
    return server, int(re.search(r"://[^:/]+:(\d+)", line).group(1))


def status(pid, name):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return 0


def jcmd(pid, *words):
    java = os.environ.get("JAVA_HOME")
    tool = str(pathlib.Path(java) / "bin/jcmd") if java else "jcmd"
    return subprocess.run([tool, str(pid), *words], capture_output=True, text=True).stdout


def heap(pid):
    """Bytes in use after a full collection."""
    jcmd(pid, "GC.run")
    return sum(int(used) * 1024 for used in re.findall(r"(?:generation|Generation).*?used (\d+)K", jcmd(pid, "GC.heap_info")))


def measure(count, port, options):
    tls = not options.plain
    url = f"{'https' if tls else 'http'}://127.0.0.1:{port}/"
    environment = dict(os.environ, DOWNBEAT_JAVA_OPTS=f"-Xmx{options.heap}")
    command = [DOWNBEAT, "run", url, "-c", str(count), "-R", "500", "-d", "8s", "--connect-timeout", "120s", "--json"]
    command += (["-k", "--tls-engine", options.tls_engine] if tls else [])
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        client = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
        deadline = time.time() + 400
        while client.poll() is None and time.time() < deadline:
            open_files = len(os.listdir(f"/proc/{client.pid}/fd"))
            if open_files > count:
                break
            time.sleep(0.2)
        time.sleep(2)  # the run has begun, so the handshakes' buffers are free
        if client.poll() is None:
            used, peak = heap(client.pid), status(client.pid, "VmHWM")
            now = status(client.pid, "VmRSS")
            client.wait()
            out.seek(0)
            return used, now, peak
        err.seek(0)
        sys.exit(f"{count} connections: " + err.read().decode().strip().splitlines()[-1])


def main(options):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(hard, 120_000), max(hard, 120_000)))
    except (ValueError, PermissionError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    low, high = map(int, open("/proc/sys/net/ipv4/ip_local_port_range").read().split())
    ports = high - low + 1
    print(f"open files allowed: {limit:,}; local ports: {ports:,}; heap at most {options.heap}; {'plain' if options.plain else options.tls_engine}\n")
    print("| connections | heap in use | resident | peak | kB of heap per additional one | kB resident per additional one |\n|--:|--:|--:|--:|--:|--:|")
    before = None
    for count in options.counts:
        if count + 200 > min(limit, ports):
            print(f"| {count:,} | exceeds a limit above | | | | |")
            continue
        server, port = serve(not options.plain)
        try:
            used, now, peak = measure(count, port, options)
        finally:
            server.terminate()
            server.wait()
        each = ["", ""]
        if before:
            each = [f"{(used - before[1]) / (count - before[0]) / 1e3:.1f}", f"{(now - before[2]) / (count - before[0]) / 1e3:.1f}"]
        print(f"| {count:,} | {used / 1e6:.0f} MB | {now / 1e6:.0f} MB | {peak / 1e6:.0f} MB | {each[0]} | {each[1]} |", flush=True)
        before = count, used, now


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tls-engine", default="jdk")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--heap", default="256m")
    parser.add_argument("counts", type=int, nargs="+")
    main(parser.parse_args())
