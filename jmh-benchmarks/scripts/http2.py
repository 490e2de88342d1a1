#!/usr/bin/env python3
"""HTTP/2 beside h2load, and beside servers.

usage: http2.py rounds [ROUNDS]   h2c, 8 connections x 8 streams, alternating rounds of 5 s, the client on core 0 and the server on
                                  core 1; then 0.85 of h2load's median as an open load. nginx, and nghttpd where it is installed.
       http2.py servers           ledger against what each server says that it has answered, h2c and TLS, GOAWAY and a freeze
                                  included: nginx, and what is found of node and go

Linux with taskset; loopback only. CPU is that of the run for Downbeat (health.cpu_ns), and of the process for h2load.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
PLAIN, TLS, ADMIN = 18480, 18481, 18483
SECONDS = 5

NODE = """
const http2 = require('http2'), fs = require('fs'), dir = process.argv[2];
let count = 0;
const answer = (req, res) => { if (req.url == '/count') res.end('' + count); else { count++; res.end('ok'); } };
http2.createServer(answer).listen(%d, '127.0.0.1');
http2.createSecureServer({key: fs.readFileSync(dir + '/k.pem'), cert: fs.readFileSync(dir + '/c.pem')}, answer)
    .listen(%d, '127.0.0.1');
""" % (PLAIN, TLS)

GO = """
package main
import ("fmt"; "net/http"; "os"; "sync/atomic")
func main() {
	var count int64
	mux := http.NewServeMux()
	mux.HandleFunc("/count", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, atomic.LoadInt64(&count)) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { atomic.AddInt64(&count, 1); fmt.Fprint(w, "ok") })
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	go func() { panic((&http.Server{Addr: "127.0.0.1:%d", Handler: mux, Protocols: p}).ListenAndServe()) }()
	panic((&http.Server{Addr: "127.0.0.1:%d", Handler: mux}).ListenAndServeTLS(os.Args[1]+"/c.pem", os.Args[1]+"/k.pem"))
}
""" % (PLAIN, TLS)


def prepare():
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o711)
    (folder / "www").mkdir()
    (folder / "www" / "small").write_bytes(b"x" * 300)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
         str(folder / "k.pem"), "-out", str(folder / "c.pem"), "-days", "2", "-subj", "/CN=localhost"],
        check=True, capture_output=True)
    return folder


def nginx(folder, keepalive_requests, log):
    (folder / "nginx.conf").write_text(
        f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log crit;"
        f" events {{ worker_connections 4096; }}\n"
        f"http {{ {f'log_format s $status; access_log {folder}/access.log s' if log else 'access_log off'}; sendfile on;"
        f" open_file_cache max=100; keepalive_requests {keepalive_requests};"
        f" client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;"
        f" uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; root {folder}/www;"
        f" server {{ listen 127.0.0.1:{PLAIN} http2; }}"
        f" server {{ listen 127.0.0.1:{TLS} ssl http2; ssl_certificate {folder}/c.pem; ssl_certificate_key {folder}/k.pem; }} }}\n")
    binary = shutil.which("nginx") or "/usr/sbin/nginx"
    return subprocess.Popen(
        ["taskset", "-c", "1", binary, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")])


def nghttpd(folder):
    return subprocess.Popen(["taskset", "-c", "1", "nghttpd", "--no-tls", "-n1", "-d", str(folder / "www"), str(PLAIN)])


def downbeat(url, *options, core="0"):
    done = subprocess.run(
        ["taskset", "-c", core, DOWNBEAT, "run", url, "--http", "2", *options, "--json", "-q"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"downbeat said: {done.stdout}{done.stderr}")


def h2load():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(
        ["taskset", "-c", "0", "h2load", "-c8", "-m8", f"-D{SECONDS}", f"http://127.0.0.1:{PLAIN}/small"],
        capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    done = int(re.search(r"(\d+) done", out).group(1))
    return done / SECONDS, cpu * 1e6 / done


def stop(server):
    server.send_signal(signal.SIGTERM)
    server.wait()


def rounds(count):
    folder = prepare()
    servers = {"nginx": lambda: nginx(folder, 1_000_000_000, False)}
    if shutil.which("nghttpd"):
        servers["nghttpd"] = lambda: nghttpd(folder)
    print("| server | round | h2load /s | us CPU | downbeat /s | us CPU | ratio |\n|---|---|---|---|---|---|---|", flush=True)
    for name, start in servers.items():
        server = start()
        time.sleep(1)
        peaks = []
        for number in range(count):
            rate, cpu = h2load()
            ours = downbeat(
                f"http://127.0.0.1:{PLAIN}/small", "--closed", "64", "-c", "8", "--streams", "8", "-d", f"{SECONDS}s")
            ours_rate = ours["rates"]["achieved_per_s"]
            ours_cpu = ours["health"]["cpu_ns"] / 1e3 / ours["ledger"]["answered"]
            peaks.append(rate)
            print(f"| {name} | {number + 1} | {rate:,.0f} | {cpu:.2f} | {ours_rate:,.0f} | {ours_cpu:.2f} |"
                  f" {ours_rate / rate:.2f} |", flush=True)
        wanted = int(0.85 * statistics.median(peaks))
        ours = downbeat(
            f"http://127.0.0.1:{PLAIN}/small", "-R", str(wanted), "-c", "8", "--streams", "100", "-d", f"{SECONDS}s",
            "--arrivals", "constant")
        print(f"| {name} | open at {wanted:,} | | | {ours['rates']['achieved_per_s']:,.0f} | |"
              f" {ours['rates']['achieved_per_s'] / wanted:.4f} |", flush=True)
        stop(server)


def servers():
    folder = prepare()
    rows = [("nginx, GOAWAY after 1000", lambda: nginx(folder, 1000, True))]
    if shutil.which("node"):
        (folder / "s.js").write_text(NODE)
        rows.append(("node", lambda: subprocess.Popen(["node", str(folder / "s.js"), str(folder)])))
    if shutil.which("go"):
        (folder / "s.go").write_text(GO)
        built = subprocess.run(
            ["go", "build", "-o", str(folder / "server"), str(folder / "s.go")], capture_output=True, text=True)
        if built.returncode == 0:
            rows.append(("go net/http", lambda: subprocess.Popen([str(folder / "server"), str(folder)])))
        else:
            print(built.stderr)
    print("| server | load | planned | answered | failed | sent again | server says |\n|---|---|---|---|---|---|---|", flush=True)
    for name, start in rows:
        for load, url, freeze in (
                ("h2c", f"http://127.0.0.1:{PLAIN}/small", False), ("TLS", f"https://127.0.0.1:{TLS}/small", False),
                ("h2c, stopped for 1 s", f"http://127.0.0.1:{PLAIN}/small", True)):
            server = start()
            time.sleep(2)
            frozen = children(server.pid) if freeze else []
            if freeze:
                subprocess.Popen(["sh", "-c", f"sleep 4; kill -STOP {frozen[-1]}; sleep 1; kill -CONT {frozen[-1]}"])
            ours = downbeat(
                url, "-R", "2000", "-d", "5s", "-c", "2", *(["-k"] if url.startswith("https") else []), core="0,1")
            time.sleep(0.5)
            if name.startswith("nginx"):
                said = sum(1 for _ in open(folder / "access.log"))
            else:
                said = int(subprocess.run(
                    ["curl", "-s", "--http2-prior-knowledge", f"http://127.0.0.1:{PLAIN}/count"],
                    capture_output=True, text=True).stdout)
            stop(server)
            (folder / "access.log").unlink(missing_ok=True)
            ledger = ours["ledger"]
            again = ours["connections"]["streams"]["sent_again"]
            print(f"| {name} | {load} | {ledger['planned']:,} | {ledger['answered']:,} | {ledger['failed']:,} | {again:,} |"
                  f" {said:,} |", flush=True)


def children(pid):
    """The process itself, and those that it has started: nginx answers in a worker."""
    own = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [pid] + [int(one) for one in own]


if __name__ == "__main__":
    if sys.argv[1:2] == ["servers"]:
        servers()
    elif sys.argv[1:2] == ["rounds"]:
        rounds(int(sys.argv[2]) if len(sys.argv) > 2 else 5)
    else:
        sys.exit(__doc__)
