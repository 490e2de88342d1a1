#!/usr/bin/env python3
"""Draws the plots of the client-costs summary from the committed JSON: plots.py [DATE]; writes DATE-*.svg beside it.

Prints the tables that combine several files: the knee of the pools compared with theory, and the handshakes.
"""

import math
import os
import statistics
import sys

from client_costs import figure, interval, iterations, load, mean_wait_ms, metric_of, t95, table
from svg import columns, dots

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = {"JDK": "JDK HttpClient", "APACHE5": "Apache HttpClient 5", "OKHTTP": "OkHttp", "SDK_NETTY": "AWS SDK on Netty",
             "SDK_CRT": "AWS SDK on CRT", "JETTY": "Jetty client", "NETTY": "Netty, bare",
             "OURS": "Downbeat"}
POOLS = {"OURS": "Downbeat", "APACHE5": "Apache 5", "SDK_NETTY": "SDK Netty", "HIKARI": "HikariCP",
         "POSTGRES": "HikariCP, PostgreSQL"}
NOTE = "means with 95 % intervals, percentiles merged with least and most; virtual machine with 2 cores, JDK 17, everything on the loopback"


class Results:
    def __init__(self, date):
        self.date = date

    def of(self, *groups):
        paths = [f"{HERE}/{self.date}-{group}.json" for group in groups]
        return load(*(path for path in paths if os.path.exists(path)))

    def plot(self, name):
        return f"{HERE}/{self.date}-{name}.svg"


def clients(results):
    rows = [(LIBRARIES[result["params"]["library"]],
             [("processor time per request", *interval(result, "processor", 1e-3)),
              ("response time, p99", *interval(result, "response.p99")),
              ("service time, p50", *interval(result, "service.p50"))])
            for result in results.of("clients")]
    dots(results.plot("clients"), "The same GET by five clients, 1,000 a second, one caller", NOTE, "microseconds (log scale)",
         rows, log=True, left=190)


def connection(results):
    rows = []
    order = ["run", "once", "cached", "uncached"]
    for result in sorted(results.of("connection"), key=lambda found: order.index(found["benchmark"].split(".")[-1])):
        params, name = result.get("params", {}), result["benchmark"].split(".")[-1]
        if "socket" in params:
            kind = "Unix socket" if params["socket"] == "UNIX" else "TCP"
            label = f"{kind}, {'kept' if params['keepAlive'] == 'true' else 'new each time'}"
        else:
            label = {"once": "TCP, new, name looked up once", "cached": "… for each, from the JDK's cache",
                     "uncached": "… for each, past that cache"}[name]
        points = [("whole request, mean", *interval(result, "service.mean"))]
        if interval(result, "connect.p50") and interval(result, "connect.p50")[0] > 0:
            points.append(("connect, p50", *interval(result, "connect.p50")))
        if interval(result, "lookup.p50") and interval(result, "lookup.p50")[0] > 0:
            points.append(("look-up, p50", *interval(result, "lookup.p50")))
        rows.append((label, [(series, *(value * scale(result) for value in values)) for series, *values in points]))
    dots(results.plot("connection"), "Connections that are kept, and connections made for each request", NOTE, "microseconds per request",
         rows, left=270)


def scale(result):
    """The factor that converts the result to microseconds."""
    return {"ms/op": 1e3, "us/op": 1, "ns/op": 1e-3}[result["primaryMetric"]["scoreUnit"]]


def handshakes(results):
    rows = {}
    for result in results.of("jdk-tls", "boringssl"):
        params = result["params"]
        label = f"{'ECDSA' if params['key'] == 'EC' else 'RSA'}, {params['version'].replace('TLSv', 'TLS ')}, {params['session'].lower()}"
        engine = "JDK 17" if params["engine"] == "JDK" else "BoringSSL"
        rows.setdefault(label, []).append((engine, *interval(result, "score")))
    dots(results.plot("tls-handshake"), "A TLS handshake, both sides on one thread, no network", NOTE,
         "microseconds (log scale)", sorted(rows.items()), log=True, left=205)


def amortised(results):
    series = {}
    for result in results.of("tls-amortised", "tls-amortised-1000"):
        params = result["params"]
        name = f"{params['version'].replace('TLSv', 'TLS ')}, {params['session'].lower()}"
        series.setdefault(name, {})[int(params["requestsPerConnection"])] = interval(result, "service.mean")
    columns(results.plot("tls-amortised"), "What a request over TLS takes, its share of the handshake included",
            NOTE + "; RSA, JDK on both sides", ("requests per connection", [1, 10, 80, 1000], "ms per request (log scale)"),
            [(name, points, True) for name, points in sorted(series.items())], log=True)


def expected(result, runs):
    """Mean of the given number of runs in virtual time, with the interval in which 95 of 100 such means lie."""
    values = iterations(metric_of(result, "backlog_wait.mean"))
    mean, spread = statistics.fmean(values), statistics.stdev(values)
    half = t95(runs - 1) * spread / math.sqrt(runs)
    return mean, max(0, mean - half), mean + half


def pools(results):
    sizes = [5, 6, 7, 8, 16, 64]
    virtual = {int(result["params"]["connections"]): expected(result, 5) for result in results.of("pool-theory")}
    series = [("theory in virtual time, 3 s runs", virtual, True)]
    for client, name in POOLS.items():
        points = {int(result["params"]["connections"]): interval(result, "backlog_wait.mean")
                  for result in results.of("pool-ours", "pool-sdk", "pool-postgres")
                  if result["params"]["client"] == client}
        if points:
            series.append((name, points, False))
    columns(results.plot("pool"), "Wait for a connection: 500 requests a second that take 10 ms, so 5 are busy",
            NOTE + "; at 5 the line has no end", ("connections in the pool", sizes, "mean wait for a connection, ms"),
            series, most=24)


def knee(results):
    virtual = {int(result["params"]["connections"]): result for result in results.of("pool-theory")}
    real = {}
    for result in results.of("pool-ours", "pool-sdk", "pool-postgres"):
        real.setdefault(result["params"]["client"], {})[int(result["params"]["connections"])] = result
    rows = []
    for size, result in sorted(virtual.items()):
        mean, low, high = expected(result, 5)
        row = [size, f"{100 * 5 / size:.0f} %", f"{mean_wait_ms(size):.2f}" if size <= 8 else "0",
               f"{mean:.2f} ({low:.2f} to {high:.2f})"]
        for client in POOLS:
            found = real.get(client, {}).get(size)
            row.append(f"{figure(found, 'backlog_wait.mean')} [{fitted(found, size)}]" if found else "")
        rows.append(row)
    table(["connections", "load", "M/M/c", "in virtual time, runs of 3 s", *POOLS.values()], rows)


def fitted(result, size):
    """Theory for the measured service time, which is a little longer than the nominal one."""
    if size > 8:
        return "0"
    return f"{mean_wait_ms(size, statistics.fmean(iterations(metric_of(result, 'service.mean')))):.2f}"


def handshake_table(results):
    rows = []
    for result in results.of("jdk-tls", "boringssl"):
        params = result["params"]
        client, server = (sum(iterations(metric_of(result, side))) for side in ("clientMicros", "serverMicros"))
        rows.append([params["key"], params["version"], params["session"], params["engine"], figure(result, "score"),
                     figure(result, "processor", 1e-3), f"{100 * client / (client + server):.0f} %"])
    table(["key", "version", "session", "engine", "wall, us", "processor, us", "client's part"], sorted(rows))


def cold_start(results):
    rows = [({"URL_CONNECTION": "URLConnection", "APACHE5": "Apache 5", "NETTY": "Netty"}[result["params"]["http"]],
             [("first message", *interval(result, "score"))])
            for result in results.of("sqs") if "ColdStart" in result["benchmark"]]
    dots(results.plot("sqs-cold-start"), "The first SQS message of a process, by the SDK's HTTP client",
         NOTE + "; 6 processes each", "milliseconds", rows, left=140)


def metrics(results):
    rows = {}
    for result in results.of("metrics"):
        rows.setdefault(result["benchmark"].split(".")[-1], []).append(
            ("1 thread" if result["threads"] == 1 else f"{result['threads']} threads", *interval(result, "score")))
    dots(results.plot("metrics"), "Recording one duration", NOTE, "nanoseconds per value (log scale)",
         sorted(rows.items(), key=lambda row: row[1][0][1]), log=True, left=210)


def main(date="2026-11-21", handshakes_of="2026-11-22"):
    results = Results(date)
    for draw, group in ((clients, "clients"), (connection, "connection"),
                        (amortised, "tls-amortised"), (pools, "pool-theory"), (cold_start, "sqs"), (metrics, "metrics")):
        if results.of(group):
            draw(results)
    knee(results)
    handshakes(Results(handshakes_of))
    handshake_table(Results(handshakes_of))


if __name__ == "__main__":
    main(*sys.argv[1:])
