#!/usr/bin/env python3
"""Replays the log of one nginx against another and compares their logs: same requests, same order, same times.

    jmh-benchmarks/scripts/replay-nginx.py [DOWNBEAT [ARGS...]]      (default: ./downbeat)

Needs nginx. Sends bursts of requests for three paths to the first nginx for 10 s, from one thread, so that the log has their order;
then replays the log. Times are $msec, with a resolution of 1 ms, and are aligned by the median of their differences.
"""
import http.client, os, shutil, socket, statistics, subprocess, sys, tempfile, time

CONF = """daemon off; master_process off; pid {dir}/nginx.pid; error_log {dir}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
  log_format timed '$remote_addr - - [$time_local] $msec "$request" $status $body_bytes_sent';
  access_log {dir}/access.log timed; client_body_temp_path {dir}; proxy_temp_path {dir}; fastcgi_temp_path {dir};
  uwsgi_temp_path {dir}; scgi_temp_path {dir}; keepalive_requests 100000;
  server {{ listen 127.0.0.1:{port}; location / {{ return 200 "ok"; }} }}
}}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def nginx(folder, port):
    os.makedirs(folder)
    conf = os.path.join(folder, "nginx.conf")
    with open(conf, "w") as f:
        f.write(CONF.format(dir=folder, port=port))
    server = subprocess.Popen(["nginx", "-c", conf, "-p", folder], stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 0.1).close()
            return server
        except OSError:
            time.sleep(0.05)
    sys.exit("nginx did not start")


def requests(folder):
    with open(os.path.join(folder, "access.log")) as log:
        lines = [line.split('"') for line in log]
    return [(float(line[0].split()[-1]), line[1].split()[:2]) for line in lines]


def bursts(port):
    paths = ["/items/{}", "/search?q={}", "/orders"]
    client = http.client.HTTPConnection("127.0.0.1", port)
    begin = time.monotonic()
    n = 0
    for burst in range(50):
        while time.monotonic() < begin + burst * 0.2:
            time.sleep(0.001)
        for _ in range(burst % 13 + 1):
            client.request("POST" if n % 3 == 2 else "GET", paths[n % 3].format(n))
            client.getresponse().read()
            n += 1


def main():
    downbeat = sys.argv[1:] or ["./downbeat"]
    folder = tempfile.mkdtemp(prefix="replay")
    servers = []
    try:
        ports = [free_port(), free_port()]
        folders = [os.path.join(folder, name) for name in ("first", "second")]
        servers = [nginx(f, p) for f, p in zip(folders, ports)]
        bursts(ports[0])
        log = os.path.join(folders[0], "access.log")
        subprocess.run(
            downbeat + ["run", "http://127.0.0.1:%d/" % ports[1], "--replay-log", log, "--accept-unsound", "-q"],
            check=True, stdout=subprocess.DEVNULL)
        first, second = (requests(f) for f in folders)
        same = [r for _, r in first] == [r for _, r in second]
        gaps = [b[0] - a[0] for a, b in zip(first, second)]
        middle = statistics.median(gaps)
        off = sorted(abs(gap - middle) * 1000 for gap in gaps)
        print("requests %d and %d; same requests in the same order: %s" % (len(first), len(second), "yes" if same else "no"))
        print("times off by: p50 %.1f ms, p99 %.1f ms, most %.1f ms" % (
            off[len(off) // 2], off[int(len(off) * 0.99)], off[-1]))
        sys.exit(0 if same and off[int(len(off) * 0.99)] <= 5 else 1)
    finally:
        for server in servers:
            server.terminate()
            server.wait()
        shutil.rmtree(folder)


main()
