#!/usr/bin/env python3
"""Compares HTTP/2 with h2load, and the ledger with the counts of several servers.

usage: http2.py rounds [ROUNDS [SECONDS [SERVER...]]]
                                  h2c, 8 connections x 8 streams, alternating rounds of 15 s, client on core 0, server on core 1;
                                  then an open load at 85 % of h2load's median. Servers: nginx, and nghttpd if installed.
       http2.py servers           compares the ledger with the requests that each server has answered; h2c and TLS, with GOAWAY and
                                  a freeze. Servers: nginx, and those installed of nghttpd, haproxy, node, go, caddy, Jetty (by mvn)

Needs Linux and taskset; loopback only. CPU time is that of the whole process, which includes the start of Downbeat's JVM.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
PLAIN, TLS, ADMIN = 18480, 18481, 18483

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


JETTY_POM = """
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId>
<version>1</version><dependencies><dependency><groupId>org.eclipse.jetty.http2</groupId><artifactId>jetty-http2-server</artifactId>
<version>12.0.16</version></dependency><dependency><groupId>org.eclipse.jetty</groupId><artifactId>jetty-alpn-java-server</artifactId>
<version>12.0.16</version></dependency></dependencies></project>
"""

JETTY = """
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.*;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
public class S {
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        AtomicLong count = new AtomicLong();
        HttpConfiguration open = new HttpConfiguration();
        ServerConnector plain =
                new ServerConnector(server, new HttpConnectionFactory(open), new HTTP2CServerConnectionFactory(open));
        plain.setHost("127.0.0.1");
        plain.setPort(%d);
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setKeyStorePath(args[0] + "/k.p12");
        keys.setKeyStorePassword("secret");
        HttpConfiguration secure = new HttpConfiguration();
        secure.addCustomizer(new SecureRequestCustomizer(false)); // 127.0.0.1 is not a host name
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        ServerConnector tls = new ServerConnector(server, new SslConnectionFactory(keys, alpn.getProtocol()), alpn,
                new HTTP2ServerConnectionFactory(secure), new HttpConnectionFactory(secure));
        tls.setHost("127.0.0.1");
        tls.setPort(%d);
        server.addConnector(plain);
        server.addConnector(tls);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                boolean asks = Request.getPathInContext(request).equals("/count");
                Content.Sink.write(response, true, asks ? "" + count.get() : "ok", callback);
                if (!asks) count.incrementAndGet();
                return true;
            }
        });
        server.start();
        server.join();
    }
}
""" % (PLAIN, TLS)


def haproxy(folder):
    (folder / "both.pem").write_bytes((folder / "c.pem").read_bytes() + (folder / "k.pem").read_bytes())
    (folder / "haproxy.cfg").write_text(f"""
global
    stats socket {folder}/haproxy.sock mode 600
defaults
    mode http
    timeout client 30s
    timeout http-request 30s
frontend all
    bind 127.0.0.1:{PLAIN} proto h2
    bind 127.0.0.1:{TLS} ssl crt {folder}/both.pem alpn h2
    http-request return status 200 content-type text/plain string ok
""")
    return subprocess.Popen([found("haproxy"), "-db", "-f", str(folder / "haproxy.cfg")])


def haproxy_count(folder):
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(str(folder / "haproxy.sock"))
        control.sendall(b"show stat\n")
        rows = b"".join(iter(lambda: control.recv(65536), b"")).decode().strip().splitlines()
    names = rows[0].lstrip("# ").split(",")
    return next(int(row.split(",")[names.index("req_tot")]) for row in rows if row.startswith("all,FRONTEND"))


def nghttpd_both(folder):
    """Starts two, since one process speaks either TLS or plain text; -v writes the log."""
    command = f"""trap 'kill $one $two; wait $one $two' TERM
nghttpd -v -a 127.0.0.1 -d {folder}/www {TLS} {folder}/k.pem {folder}/c.pem > {folder}/nghttpd-tls.log 2>&1 & one=$!
nghttpd -v --no-tls -a 127.0.0.1 -d {folder}/www {PLAIN} > {folder}/nghttpd.log 2>&1 & two=$!
wait"""
    return subprocess.Popen(["sh", "-c", command])


def nghttpd_count(folder):
    return sum(
        line.count(b"send HEADERS frame") for name in ("nghttpd.log", "nghttpd-tls.log") for line in open(folder / name, "rb"))


def caddy(folder):
    (folder / "Caddyfile").write_text(f"""{{
    admin off
    auto_https off
    default_sni localhost
    servers :{PLAIN} {{
        protocols h1 h2c
    }}
}}
http://127.0.0.1:{PLAIN} {{
    log {{
        output file {folder}/access.log
    }}
    respond "ok"
}}
https://localhost:{TLS}, https://127.0.0.1:{TLS} {{
    tls {folder}/c.pem {folder}/k.pem
    log {{
        output file {folder}/access.log
    }}
    respond "ok"
}}
""")
    return subprocess.Popen(
        [found("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], stderr=subprocess.DEVNULL)


def jetty(folder):
    project = folder / "jetty"
    project.mkdir()
    (project / "pom.xml").write_text(JETTY_POM)
    (project / "S.java").write_text(JETTY)
    subprocess.run(
        ["openssl", "pkcs12", "-export", "-in", str(folder / "c.pem"), "-inkey", str(folder / "k.pem"), "-passout", "pass:secret",
         "-out", str(folder / "k.p12")], check=True, capture_output=True)
    built = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(project / "pom.xml"), "dependency:build-classpath", "-Dmdep.outputFile=" + str(project / "path")],
        capture_output=True, text=True)
    if built.returncode != 0:
        print(built.stdout[-500:])
        return None
    path = (project / "path").read_text()
    return lambda: subprocess.Popen(
        ["java", "-cp", path, str(project / "S.java"), str(folder)], stderr=subprocess.DEVNULL)


def found(name):
    return os.environ.get(name.upper()) or shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def asked(folder):
    return int(subprocess.run(
        ["curl", "-s", "--http2-prior-knowledge", f"http://127.0.0.1:{PLAIN}/count"], capture_output=True, text=True).stdout)


def logged(folder):
    return sum(1 for _ in open(folder / "access.log"))


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
        sys.exit(f"downbeat printed: {done.stdout}{done.stderr}")


def cpu_of(run):
    """Returns the function's result, and user and system CPU seconds of the child processes that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def h2load(seconds):
    return subprocess.run(
        ["taskset", "-c", "0", "h2load", "-c8", "-m8", f"-D{seconds}", f"http://127.0.0.1:{PLAIN}/small"],
        capture_output=True, text=True).stdout


def stolen():
    """CPU seconds that the hypervisor has stolen since the machine's start."""
    return int(open("/proc/stat").readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def stop(server):
    server.send_signal(signal.SIGTERM)
    server.wait()


def rounds(count=5, seconds=15, *only):
    folder = prepare()
    servers = {"nginx": lambda: nginx(folder, 1_000_000_000, False)}
    if found("nghttpd"):
        servers["nghttpd"] = lambda: nghttpd(folder)
    print("| server | round | h2load /s | us CPU (kernel) | downbeat /s | us CPU (kernel) | rate | CPU | steal s |\n"
          "|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in only or servers:
        server = servers[name]()
        time.sleep(1)
        rates, cpus, peaks = [], [], []
        for number in range(count):
            before = stolen()
            out, user, kernel = cpu_of(lambda: h2load(seconds))
            done = int(re.search(r"(\d+) done", out).group(1))
            ours, ours_user, ours_kernel = cpu_of(lambda: downbeat(
                f"http://127.0.0.1:{PLAIN}/small", "--closed", "64", "-c", "8", "--streams", "8", "-d", f"{seconds}s"))
            answered = ours["ledger"]["answered"]
            rate, ours_rate = done / seconds, ours["rates"]["achieved_per_s"]
            cpu, ours_cpu = (user + kernel) * 1e6 / done, (ours_user + ours_kernel) * 1e6 / answered
            peaks.append(rate)
            rates.append(ours_rate / rate)
            cpus.append(ours_cpu / cpu)
            print(f"| {name} | {number + 1} | {rate:,.0f} | {cpu:.2f} ({kernel * 1e6 / done:.2f}) | {ours_rate:,.0f} |"
                  f" {ours_cpu:.2f} ({ours_kernel * 1e6 / answered:.2f}) | {rates[-1]:.2f} | {cpus[-1]:.2f} |"
                  f" {stolen() - before:.2f} |", flush=True)
        wanted = int(0.85 * statistics.median(peaks))
        ours = downbeat(
            f"http://127.0.0.1:{PLAIN}/small", "-R", str(wanted), "-c", "8", "--streams", "100", "-d", f"{seconds}s",
            "--arrivals", "constant")
        print(f"| {name} | median | | | | | {statistics.median(rates):.2f} | {statistics.median(cpus):.2f} | |\n"
              f"| {name} | open at {wanted:,} | | | {ours['rates']['achieved_per_s']:,.0f} | |"
              f" {ours['rates']['achieved_per_s'] / wanted:.4f} | | |", flush=True)
        stop(server)


def servers():
    folder = prepare()
    rows = [("nginx, GOAWAY after 1000", lambda: nginx(folder, 1000, True), logged)]
    if found("nghttpd"):
        rows.append(("nghttpd", lambda: nghttpd_both(folder), nghttpd_count))
    if found("haproxy"):
        rows.append(("haproxy", lambda: haproxy(folder), haproxy_count))
    if found("caddy"):
        rows.append(("caddy", lambda: caddy(folder), logged))
    if found("mvn") and (started := jetty(folder)):
        rows.append(("Jetty 12", started, asked))
    if shutil.which("node"):
        (folder / "s.js").write_text(NODE)
        rows.append(("node", lambda: subprocess.Popen(["node", str(folder / "s.js"), str(folder)]), asked))
    if shutil.which("go"):
        (folder / "s.go").write_text(GO)
        built = subprocess.run(
            ["go", "build", "-o", str(folder / "server"), str(folder / "s.go")], capture_output=True, text=True)
        if built.returncode == 0:
            rows.append(("go net/http", lambda: subprocess.Popen([str(folder / "server"), str(folder)]), asked))
        else:
            print(built.stderr)
    print("| server | load | planned | answered | failed | sent again | server's count |\n|---|---|---|---|---|---|---|", flush=True)
    for name, start, count in rows:
        for load, url, freeze in (
                ("h2c", f"http://127.0.0.1:{PLAIN}/small", False), ("TLS", f"https://127.0.0.1:{TLS}/small", False),
                ("h2c, stopped for 1 s", f"http://127.0.0.1:{PLAIN}/small", True)):
            server = start()
            time.sleep(5 if name.startswith("Jetty") else 2)
            frozen = children(server.pid) if freeze else []
            if freeze:
                subprocess.Popen(["sh", "-c", f"sleep 4; kill -STOP {frozen[-1]}; sleep 1; kill -CONT {frozen[-1]}"])
            ours = downbeat(
                url, "-R", "2000", "-d", "5s", "-c", "2", *(["-k"] if url.startswith("https") else []), core="0,1")
            time.sleep(0.5)
            counted = count(folder)
            stop(server)
            (folder / "access.log").unlink(missing_ok=True)
            ledger = ours["ledger"]
            again = ours["connections"]["streams"]["sent_again"]
            print(f"| {name} | {load} | {ledger['planned']:,} | {ledger['answered']:,} | {ledger['failed']:,} | {again:,} |"
                  f" {counted:,} |", flush=True)


def children(pid):
    """The process and its children; nginx answers in a worker."""
    own = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [pid] + [int(one) for one in own]


if __name__ == "__main__":
    if sys.argv[1:2] == ["servers"]:
        servers()
    elif sys.argv[1:2] == ["rounds"]:
        rounds(*map(int, sys.argv[2:4]), *sys.argv[4:])
    else:
        sys.exit(__doc__)
