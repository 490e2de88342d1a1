#!/usr/bin/env python3
"""Runs shop sessions at 50/s while the service is frozen for 3 s, and compares counts and percentiles by name with the truth.

    jmh-benchmarks/scripts/shop-freeze.py [DOWNBEAT [ARGS...]]      (default: ./downbeat; half a minute)

Needs nginx, which gives each session a token and a cookie, requires both, and logs its responses. The ledger by name must equal the
log. SIGSTOP freezes nginx. Sessions start evenly, so a request intended u seconds into a freeze of f seconds waits f - u. In a run
of d seconds, percentile p is therefore f - d(1 - p), and each measured one must be within 3 % of it.
"""
import collections, json, os, shutil, signal, socket, subprocess, sys, tempfile, time

SECONDS, FREEZE = 20, 3.0
CONF = """daemon off; master_process off; pid {dir}/nginx.pid; error_log {dir}/error.log; worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  log_format counted '$uri $status'; access_log {dir}/access.log counted; keepalive_requests 1000000;
  client_body_temp_path {dir}; proxy_temp_path {dir}; fastcgi_temp_path {dir}; uwsgi_temp_path {dir}; scgi_temp_path {dir};
  map "$cookie_sid $http_authorization" $known {{ default 0; "~^([0-9a-f]+) Bearer \\\\1$" 1; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location /login {{ add_header Set-Cookie "sid=$request_id; Path=/"; return 200 '{{"token": "$request_id"}}'; }}
    location /search {{ if ($known = 0) {{ return 401; }} return 200 '{{"ok": true}}'; }}
    location /orders {{ if ($known = 0) {{ return 401; }} return 201 '{{"order": {{"id": "o$request_id"}}}}'; }}
    location /order/ {{ if ($known = 0) {{ return 401; }} return 200 '{{}}'; }}
  }}
}}
"""
SHOP = """### log in
# @capture token = json /token
POST {url}/login

### search
# @think 10ms
# @expect json /ok = true
GET {url}/search?q={{{{$random.integer(1, 100)}}}}
Authorization: Bearer {{{{token}}}}

### order
# @think 10ms
# @expect 201
# @capture id = json /order/id
POST {url}/orders
Authorization: Bearer {{{{token}}}}

### show
# @think 10ms
GET {url}/order/{{{{id}}}}
Authorization: Bearer {{{{token}}}}
"""
PATHS = {"log in": "/login 200", "search": "/search 200", "order": "/orders 201", "show": "/order/ 200"}


def main():
    downbeat = sys.argv[1:] or ["./downbeat"]
    folder = tempfile.mkdtemp(prefix="shop")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with open(os.path.join(folder, "nginx.conf"), "w") as f:
        f.write(CONF.format(dir=folder, port=port))
    script = os.path.join(folder, "shop.http")
    with open(script, "w") as f:
        f.write(SHOP.format(url="http://127.0.0.1:%d" % port))
    nginx = subprocess.Popen(["nginx", "-c", os.path.join(folder, "nginx.conf"), "-p", folder], stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        run = subprocess.Popen(
            downbeat + ["run", script, "--sessions", "50/s", "--arrivals", "constant", "-d", "%ds" % SECONDS, "--json", "-q",
                        "--accept-unsound"], stdout=subprocess.PIPE)
        time.sleep(7)
        began = time.monotonic()
        nginx.send_signal(signal.SIGSTOP)
        time.sleep(FREEZE)
        nginx.send_signal(signal.SIGCONT)
        frozen = time.monotonic() - began
        result = json.loads(run.communicate()[0])
        time.sleep(0.5)
        with open(os.path.join(folder, "access.log")) as log:
            lines = [line.split() for line in log]
        counts = collections.Counter(
            ("/order/" if uri.startswith("/order/") else uri) + " " + status for uri, status in lines)
        good = sum(counts.values()) == sum(counts[path] for path in PATHS.values())
        print("frozen for %.3f s of %d s; the server's log has %d responses" % (frozen, SECONDS, sum(counts.values())))
        print("| request | answered | in the server's log | percentile | measured | theory | difference |")
        print("|---|---|---|---|---|---|---|")
        for one in result["requests"]:
            if one["name"] not in PATHS:
                continue
            answered, logged = one["ledger"]["answered"], counts[PATHS[one["name"]]]
            good &= answered == logged and answered == one["ledger"]["planned"]
            for percentile in (90, 95, 99):
                theory = frozen - SECONDS * (1 - percentile / 100)
                measured = one["response"]["p%d_ns" % percentile] / 1e9
                good &= abs(measured / theory - 1) <= 0.03
                print("| %s | %d | %d | p%d | %.3f s | %.3f s | %+.1f %% |" % (
                    one["name"], answered, logged, percentile, measured, theory, 100 * (measured / theory - 1)))
        sys.exit(0 if good else 1)
    finally:
        nginx.send_signal(signal.SIGCONT)
        nginx.terminate()
        nginx.wait()
        shutil.rmtree(folder)


main()
