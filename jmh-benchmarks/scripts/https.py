#!/usr/bin/env python3
"""Compares HTTPS by the JDK and by BoringSSL with wrk: closed loop, 64 connections, client on core 0, nginx on core 1, alternating
runs of 5 s, 50 s per round.

usage: https.py [ROUNDS]

Responses of 300 bytes, 16 KiB and 1 MiB. CPU time is that of the run for Downbeat (health.cpu_ns) and of the process for wrk; steal
is that of the machine during the runs. Needs Linux, taskset, nginx, wrk and openssl; loopback only.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
PORT = 18482
SECONDS = 5
SIZES = {"300": 300, "16k": 16 << 10, "1m": 1 << 20}


def serve(folder):
    folder.chmod(0o711)
    www = folder / "www"
    www.mkdir()
    www.chmod(0o755)
    for name, size in SIZES.items():
        (www / name).write_bytes(b"x" * size)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
         str(folder / "k.pem"), "-out", str(folder / "c.pem"), "-days", "2", "-subj", "/CN=localhost"],
        check=True, capture_output=True)
    (folder / "nginx.conf").write_text(
        f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log crit;"
        f" events {{ worker_connections 4096; }}\n"
        f"http {{ access_log off; sendfile on; open_file_cache max=100; keepalive_requests 100000000;"
        f" client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;"
        f" uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;"
        f" server {{ listen 127.0.0.1:{PORT} ssl; ssl_certificate {folder}/c.pem; ssl_certificate_key {folder}/k.pem;"
        f" root {www}; }} }}\n")
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    server = subprocess.Popen(
        ["taskset", "-c", "1", nginx, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")])
    time.sleep(1)
    return server


def steal():
    ticks = list(map(int, open("/proc/stat").readline().split()[1:9]))
    return ticks[7], sum(ticks)


def downbeat(name, engine):
    done = subprocess.run(
        ["taskset", "-c", "0", DOWNBEAT, "run", f"https://127.0.0.1:{PORT}/{name}", "--closed", "64", "-c", "64", "-d",
         f"{SECONDS}s", "-k", "--json", "-q", "--tls-engine", engine], capture_output=True, text=True)
    result = json.loads(done.stdout)
    answered = result["ledger"]["answered"]
    return result["rates"]["achieved_per_s"], result["health"]["cpu_ns"] / 1e3 / answered


def wrk(name, _):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(
        ["taskset", "-c", "0", "wrk", "-t1", "-c64", f"-d{SECONDS}s", f"https://127.0.0.1:{PORT}/{name}"],
        capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answered = int(re.search(r"(\d+) requests in", out).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), cpu * 1e6 / answered


def main(rounds):
    folder = pathlib.Path(tempfile.mkdtemp())
    server = serve(folder)
    ratios = {}
    try:
        print("| round | response | wrk | JDK | rate | CPU | BoringSSL | rate | CPU | steal |\n"
              "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
        for turn in range(rounds):
            for name in SIZES:
                begin = steal()
                tools = [("wrk", wrk), ("jdk", downbeat), ("boringssl", downbeat)]
                first = turn % len(tools)
                seen = {tool: measure(name, tool) for tool, measure in tools[first:] + tools[:first]}
                end = steal()
                cells = ""
                for engine in ("jdk", "boringssl"):
                    rate, cpu = (seen[engine][i] / seen["wrk"][i] for i in range(2))
                    ratios.setdefault((name, engine), []).append((rate, cpu))
                    cells += f" {seen[engine][0]:,.0f}/s, {seen[engine][1]:.1f} us | {rate:.2f} | {cpu:.2f} |"
                taken = 100 * (end[0] - begin[0]) / (end[1] - begin[1])
                print(f"| {turn + 1} | {name} | {seen['wrk'][0]:,.0f}/s, {seen['wrk'][1]:.1f} us |{cells} {taken:.1f} % |", flush=True)
        for name in SIZES:
            medians = [[statistics.median(column) for column in zip(*ratios[name, engine])] for engine in ("jdk", "boringssl")]
            print(f"| median | {name} | |" + "".join(f" | {rate:.2f} | {cpu:.2f} |" for rate, cpu in medians) + " |")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
