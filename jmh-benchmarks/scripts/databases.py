#!/usr/bin/env python3
"""Compares the results of `run jdbc:...` against a temporary PostgreSQL with known truths.

    jmh-benchmarks/scripts/databases.py why [CASE...] [--runs 10] [--seconds 12]
    jmh-benchmarks/scripts/databases.py pgbench [closed|lag] [--runs 5] [--seconds 5]
    jmh-benchmarks/scripts/databases.py pool [CONNECTIONS...] [--seconds 60]
    jmh-benchmarks/scripts/databases.py jmh [JMH_OPTION...] [--out FILE.json]

why      injects one cause in each run and prints the first cause that Downbeat names: lock (LOCK TABLE for 1 s), checkpoint
         (CHECKPOINT under writes), storm (200 connections at once, with 20 statements each), idle (a session that holds row locks
         for 1.5 s), none. A checkpoint of 0.3 s stands out from chance in a run of 30 s, but not in one of 8 s.
         On a busy machine, put 'chrt -r 1' in front, or other processes are the cause. Downbeat then gets a higher priority than
         the server, as if it had its own machine.
pgbench  runs the same load by Downbeat and by pgbench in turns: 8 closed connections with prepared statements, 2,000/s, and a new
         connection (SCRAM) per statement. JdbcLoop.java is the upper limit: a thread per connection and no measurement.
         Prints ratios of the pairs, because absolute numbers mean little on a busy machine.
pool     compares the p99 of the wait for a pooled connection with theory: M/D/c for pg_sleep(0.01), with the server's measured times,
         and M/M/c for exponential times.
jmh      runs DatabaseBenchmark on PostgreSQL and MariaDB, each with and without TLS, with SCRAM and ed25519 passwords.

Needs Linux and Debian's postgresql (PG_BIN overrides its folder), for jmh also mariadb-server and openssl. Load goes to 127.0.0.1
only. Removes the servers at the end.
"""
import argparse
import glob
import heapq
import json
import math
import os
import pathlib
import pwd
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
DOWNBEAT = os.environ.get("DOWNBEAT", str(HERE.parent.parent / "downbeat"))
BIN = os.environ.get("PG_BIN") or sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
PORT = int(os.environ.get("PG_PORT", "54330"))
URL = f"jdbc:postgresql://postgres@127.0.0.1:{PORT}/postgres"
PLAIN_DRIVER = os.environ.get("JDBC_JAR", str(HERE.parent.parent / "cli" / "target" / "downbeat-jdbc.jar"))
ROWS = 1_000_000
SELECT = "select * from orders where id = {{$random.integer(1, %d)}}" % ROWS
UPDATE = "update orders set amount = amount + 1 where id = {{$random.integer(1, %d)}}" % ROWS
CASES = {"lock": {"database_lock"}, "checkpoint": {"checkpoint"}, "storm": {"connection_storm"},
         "idle": {"idle_in_transaction"}, "none": set()}
SECONDS = {"checkpoint": 30, "storm": 40}


class Server:
    def __init__(self, folder):
        self.data = os.path.join(folder, "data")
        self.user = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
            self.user = ["runuser", "-u", "postgres", "--"]
        self.call("initdb", "-D", self.data, "-U", "postgres", "-A", "trust")
        with open(os.path.join(self.data, "pg_hba.conf"), "w") as rules:
            rules.write("host all scott 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n")
        self.call("pg_ctl", "-D", self.data, "-w", "-l", self.data + ".log", "-o",
                  f"-c listen_addresses=127.0.0.1 -c port={PORT} -c unix_socket_directories='' -c max_connections=300"
                  " -c shared_buffers=512MB -c max_wal_size=4GB -c checkpoint_timeout=1h", "start")
        self.sql("create table orders (id int primary key, item text, amount int)",
                 f"insert into orders select x, 'item ' || x % 97, x % 13 + 1 from generate_series(1, {ROWS}) x",
                 "create table filler as select x, repeat('x', 200) as text from generate_series(1, 1500000) x",
                 "create role scott login password 'tiger'", "grant all on orders to scott", "vacuum analyze", "checkpoint")

    def call(self, name, *words):
        subprocess.run([*self.user, f"{BIN}/{name}", *words], check=True, stdout=subprocess.DEVNULL)

    @staticmethod
    def sql(*lines):
        words = [word for line in lines for word in ("-c", line)]
        subprocess.run([f"{BIN}/psql", "-h", "127.0.0.1", "-p", str(PORT), "-U", "postgres", "-qX", *words],
                       check=True, stdout=subprocess.DEVNULL)

    def tls(self):
        """Turns TLS on, with a self-signed certificate."""
        certificate(self.data, "server")
        for name in ("server.crt", "server.key"):
            path = os.path.join(self.data, name)
            os.chmod(path, 0o600)
            if self.user:
                os.chown(path, pwd.getpwnam("postgres").pw_uid, -1)
        self.sql("alter system set ssl = on", "select pg_reload_conf()")

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


def certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout",
                    f"{folder}/{name}.key", "-out", f"{folder}/{name}.crt"], check=True, stderr=subprocess.DEVNULL)


class Maria:
    """A temporary MariaDB with a table of 1,000 orders."""

    def __init__(self, folder):
        data, self.socket = os.path.join(folder, "maria"), os.path.join(folder, "maria.sock")
        os.makedirs(data)
        os.chmod(folder, 0o755)
        user = pwd.getpwuid(os.getuid()).pw_name
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={data}", f"--user={user}", "--skip-test-db",
                        "--auth-root-authentication-method=normal"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        certificate(data, "server")
        self.log = open(os.path.join(folder, "maria.log"), "w")
        self.process = subprocess.Popen(
            ["mariadbd", "--no-defaults", f"--user={user}", f"--datadir={data}", f"--port={PORT + 1}", "--bind-address=127.0.0.1",
             f"--socket={self.socket}", f"--pid-file={data}/pid", "--innodb-buffer-pool-size=64M", f"--ssl-cert={data}/server.crt",
             f"--ssl-key={data}/server.key", "--plugin-load-add=auth_ed25519"], stdout=self.log, stderr=self.log)
        sql = ("create database bench; create user scott@'127.0.0.1' identified via ed25519 using password('tiger');"
               " grant all on bench.* to scott@'127.0.0.1'; use bench; create table orders (id int primary key, amount int);"
               " insert into orders select seq, seq mod 13 from seq_0_to_999")
        until = time.time() + 30
        while subprocess.run(["mariadb", "-S", self.socket, "-e", sql], stderr=subprocess.DEVNULL).returncode:
            if time.time() > until:
                sys.exit("MariaDB did not start")
            time.sleep(0.2)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def downbeat(*words, env=None, goes_first=False):
    """Returns the result as JSON and the CPU time of the process; objectives may be missed."""
    before = cpu()
    first = ["chrt", "-r", "2"] if goes_first and os.sched_getscheduler(0) == os.SCHED_RR else []
    done = subprocess.run([*first, DOWNBEAT, "run", *words, "--json", "--accept-unsound"], capture_output=True, text=True,
                          env={**os.environ, **(env or {})})
    if not done.stdout.startswith("{"):
        sys.exit(done.stderr)
    return json.loads(done.stdout), cpu() - before


def pgbench(*words, script=None, env=None):
    before = cpu()
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script or f"\\set id random(1, {ROWS})\nselect * from orders where id = :id;\n")
        file.flush()
        done = subprocess.run([f"{BIN}/pgbench", "-n", "-h", "127.0.0.1", "-p", str(PORT), "-M", "prepared", "-f", file.name,
                               *words, "postgres"], capture_output=True, text=True, env={**os.environ, **(env or {})})
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout, cpu() - before


def inject(case, server):
    if case == "lock":
        server.sql("begin; lock table orders; select pg_sleep(1); commit")
    elif case == "checkpoint":
        server.sql("checkpoint")
    elif case == "storm":
        pgbench("-c", "200", "-j", "4", "-t", "20", "-U", "postgres")
    elif case == "idle":
        idle = subprocess.Popen([f"{BIN}/psql", "-h", "127.0.0.1", "-p", str(PORT), "-U", "postgres", "-qX"],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        idle.stdin.write(f"begin; update orders set amount = 0 where id <= {ROWS // 50}; select 1;\n")
        idle.stdin.flush()
        time.sleep(1.5)
        idle.communicate("rollback;\n")


def why(server, options):
    print("| case | right | named first in each run |\n|---|---|---|")
    for case in options.words or CASES:
        named = []
        seconds = options.seconds or SECONDS.get(case, 12)
        runs = options.runs * (1 if CASES[case] else 2)
        for number in range(runs):
            draws = random.Random(f"{case} {number}")
            if case == "checkpoint":
                server.sql("update filler set x = x + 1 where x %% 3 = %d" % (number % 3))  # dirties pages
            timer = threading.Timer(6.5 + (seconds - 5) * 0.9 * draws.random(), inject, (case, server))
            timer.start()
            writes = case in ("checkpoint", "idle") or case == "none" and number % 2
            result, _ = downbeat(URL, "--sql", UPDATE if writes else SELECT, "-R", "200", "-d", f"{seconds}s",
                                 "--seed", str(number), "--watch", URL, *(["--writes"] if writes else []), goes_first=True)
            timer.join()
            tail = [one for one in result["why"]["explanations"] if one["causes"]]
            first = tail[0]["causes"][0] if tail else None
            named.append(first["kind"] if first else "nothing")
            print(json.dumps({"case": case, "run": number, "text": result["why"]["text"]}), file=sys.stderr)
        right = sum((name in CASES[case]) if CASES[case] else name == "nothing" for name in named)
        print(f"| {case} | {right} of {runs} | {', '.join(named)} |", flush=True)


def found(pattern, text):
    return float(re.search(pattern, text).group(1))


def plain_loop(seconds):
    done = subprocess.run(["java", "-XX:+UseSerialGC", "-cp", PLAIN_DRIVER, str(HERE / "JdbcLoop.java"),
                           URL.replace("postgres@", "") + "?user=postgres&connectTimeout=0&loginTimeout=0", "8", seconds, str(ROWS)], capture_output=True, text=True)
    return json.loads(done.stdout)


def paced_pair(seconds):
    """Lateness of Downbeat and of pgbench at 2,000/s: p50, p90 and p99 in ms."""
    paced, _ = downbeat(URL, "--sql", SELECT, "-R", "2000", "--arrivals", "poisson", "-d", f"{seconds}s", "-c", "8")
    with tempfile.TemporaryDirectory() as logs:  # the last column is the lag in us
        pgbench("-c", "8", "-j", "2", "-T", seconds, "-R", "2000", "-U", "postgres", "-l", f"--log-prefix={logs}/log")
        lag = sorted(int(line.split()[-1]) for file in glob.glob(logs + "/*") for line in open(file))
    return ([paced["lateness"][f"p{one}_ns"] / 1e6 for one in (50, 90, 99)], [lag[one * len(lag) // 100] / 1e3 for one in (50, 90, 99)])


def pairs(server, options):
    seconds = str(options.seconds)
    rates, costs, loops, loopcosts, lags, news, newcosts = [], [], [], [], [], [], []
    for number in range(options.runs):
        if options.words != ["closed"]:
            lags.append(paced_pair(seconds))
            print(f"pair {number}: lateness p50, p90, p99 {lags[-1][0]} ms, pgbench {lags[-1][1]} ms", file=sys.stderr)
            if options.words == ["lag"]:
                continue
        ours, our_cpu = downbeat(URL, "--sql", SELECT, "--closed", "8", "-d", f"{seconds}s", "--warm-up", "2s",
                                 "--slo", "errors<1%")
        theirs, their_cpu = pgbench("-c", "8", "-j", "2", "-T", seconds, "-U", "postgres")
        tps, count = found(r"tps = ([0-9.]+)", theirs), found(r"actually processed: (\d+)", theirs)
        answered = ours["ledger"]["answered"]
        rates.append(answered / options.seconds / tps)
        our_cpu = ours["health"]["cpu_ns"] / 1e9  # of the run, without the start of the JVM
        costs.append((our_cpu / answered) / (their_cpu / count))
        plain = plain_loop(seconds)
        loops.append(plain["ledger"]["answered"] / options.seconds / tps)
        loopcosts.append((plain["health"]["cpu_ns"] / 1e9 / plain["ledger"]["answered"]) / (their_cpu / count))
        print(f"pair {number}: rate x{rates[-1]:.2f} of {tps:,.0f}/s, CPU x{costs[-1]:.2f} of {1e6 * their_cpu / count:.1f} us;"
              f" loop x{loops[-1]:.2f}, CPU x{loopcosts[-1]:.2f}", file=sys.stderr)
        if options.words == ["closed"]:
            continue
        new, new_cpu = downbeat(f"jdbc:postgresql://scott:tiger@127.0.0.1:{PORT}/postgres", "--sql", SELECT, "--closed", "2",
                                "-d", f"{seconds}s", "--no-keepalive")
        new_theirs, new_their_cpu = pgbench("-C", "-c", "2", "-j", "2", "-T", seconds, "-U", "scott",
                                            env={"PGPASSWORD": "tiger"})
        count = found(r"actually processed: (\d+)", new_theirs)
        news.append(new["ledger"]["answered"] / count)
        new_cpu = new["health"]["cpu_ns"] / 1e9
        newcosts.append((new_cpu / new["ledger"]["answered"]) / (new_their_cpu / count))
        print(f"pair {number}: new x{news[-1]:.2f}, CPU x{newcosts[-1]:.2f}", file=sys.stderr)
    print("| relative to pgbench | median | all |\n|---|---|---|")
    for name, all in (("closed, rate", rates), ("closed, CPU per statement", costs), ("a plain loop, rate", loops),
                      ("a plain loop, CPU per statement", loopcosts), ("new connection, rate", news), ("new connection, CPU", newcosts)):
        if all:
            print(f"| {name} | x{statistics.median(all):.2f} | {', '.join(f'{one:.2f}' for one in all)} |")
    for place, share in enumerate((50, 90, 99)):
        ours, theirs = [[pair[side][place] for pair in lags] for side in (0, 1)]
        if lags:
            print(f"| lateness p{share} at 2,000/s, ms (pgbench's lag) | {statistics.median(ours):.2f} ({statistics.median(theirs):.2f}) | "
                  + ", ".join(f"{one:.2f} ({other:.2f})" for one, other in zip(ours, theirs)) + " |")


def wait_of_measured(rate, times, servers, percentile, seed=1):
    """Percentile of the wait for the measured service times, simulated with 400,000 arrivals. For constant times that is M/D/c."""
    draws = random.Random(seed)
    shares = {"min": 0, "p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99_9": 0.999, "max": 1}
    points = [(share, times[name + "_ns"] / 1e9) for name, share in shares.items()]
    free, now, waits = [0.0] * servers, 0.0, []
    for _ in range(400_000):
        now += draws.expovariate(rate)
        begin = max(now, free[0])
        waits.append(begin - now)
        share = draws.random()
        (low, least), (high, most) = next(pair for pair in zip(points, points[1:]) if share <= pair[1][0])
        heapq.heapreplace(free, begin + least + (most - least) * (share - low) / (high - low))
    return sorted(waits)[int(percentile / 100 * len(waits))]


def wait_of_mmc(rate, times, servers, percentile):
    """Percentile of the wait in M/M/c, by Erlang's C."""
    time_each = times["mean_ns"] / 1e9
    load = rate * time_each
    blocked = 1.0
    for number in range(1, servers + 1):
        blocked = load * blocked / (number + load * blocked)
    waiting = blocked / (1 - load / servers * (1 - blocked))
    return max(0.0, math.log(waiting / (1 - percentile / 100)) / (servers / time_each - rate))


def pool(server, options):
    print("| connections | law | rate | mean time | p99 of the wait | theory | ratio |\n|---|---|---|---|---|---|---|")
    laws = {"M/D/c": ("0.01", wait_of_measured), "M/M/c": ("-ln(1 - random()) * 0.01", wait_of_mmc)}
    for word in options.words or ["5", "10", "20"]:
        for law, (seconds, theory) in laws.items():
            count = int(word)
            rate = int(0.8 * count / 0.0103)
            result, _ = downbeat(URL, "--sql", f"select pg_sleep({seconds})", "-R", str(rate), "--arrivals", "poisson", "-c", word,
                                 "-d", f"{options.seconds}s", "--seed", word)
            rate, times = result["ledger"]["planned"] / options.seconds, result["service"]
            wait, expected = result["backlog_wait"]["p99_ns"] / 1e9, max(1e-9, theory(rate, times, count, 99))
            print(f"| {count} | {law} | {rate:.0f}/s | {times['mean_ns'] / 1e6:.2f} ms | {1e3 * wait:.1f} ms | {1e3 * expected:.1f} ms |"
                  f" {wait / expected:.2f} |", flush=True)


def jmh(server, options):
    server.tls()
    folder = os.path.dirname(server.data)
    maria = Maria(folder)
    try:
        postgres = f"jdbc:postgresql://127.0.0.1:{PORT}/postgres?user=scott&password=tiger&sslmode="
        other = f"jdbc:mariadb://127.0.0.1:{PORT + 1}/bench?user=scott&password=tiger&sslMode="
        urls = {"POSTGRESQL": postgres + "require", "POSTGRESQL_PLAIN": postgres + "disable", "MARIADB": other + "trust",
                "MARIADB_PLAIN": other + "disable"}
        out = options.out or os.path.join(folder, "databases.json")
        subprocess.run(["java", "-jar", str(HERE.parent / "target" / "benchmarks.jar"), "DatabaseBenchmark", "-p",
                        "server=" + ",".join(urls), "-prof", "dev.downbeat.bench.ProcessorTimeProfiler", "-foe", "true", "-rf", "json",
                        "-rff", out, *options.words], check=True, stdout=sys.stderr,
                       env={**os.environ, **{"DOWNBEAT_" + name: url for name, url in urls.items()}})
        results = json.load(open(out))
    finally:
        maria.stop()
    names = ["connect", "borrow", "firstStatement", "statement", "borrowed"]
    print("| us (CPU of this process) | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for name in urls:
        cells = []
        for which in names:
            one = next(each for each in results if each["params"]["server"] == name and each["benchmark"].endswith("." + which))
            used = next(value["score"] for key, value in one["secondaryMetrics"].items() if key.endswith("processor"))
            cells.append(f"{one['primaryMetric']['score']:,.1f} ({used / 1e3:,.1f})")
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["why", "pgbench", "pool", "jmh"])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--out")
    options, more = parser.parse_known_args()
    options.words += more
    options.runs = options.runs or (5 if options.what == "pgbench" else 10)
    if options.what in ("pgbench", "pool"):
        options.seconds = options.seconds or {"pgbench": 5, "pool": 60}[options.what]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            {"why": why, "pgbench": pairs, "pool": pool, "jmh": jmh}[options.what](server, options)
        finally:
            server.stop()


main()
