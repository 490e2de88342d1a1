#!/usr/bin/env python3
"""Prints the tables of the client-costs summary from JMH's JSON: client_costs.py FILE...

Intervals are 95 %, Student's t over the iterations of all forks.
"""

import json
import math
import statistics
import sys

T95 = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26]
RATE, SERVICE_MS = 500, 10


def iterations(metric):
    return [value for fork in metric["rawData"] for value in fork]


def figure(result, label, scale=1.0):
    """Mean of the iterations and half the width of its interval, as text."""
    metric = result["primaryMetric"] if label == "score" else result["secondaryMetrics"].get(label)
    if metric is None:
        return ""
    values = [value * scale for value in iterations(metric)]
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f"{mean:,.3g}"
    half = T95[min(len(values) - 1, len(T95)) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    digits = 0 if mean >= 100 else 1 if mean >= 10 else 2
    return f"{mean:,.{digits}f} ± {half:,.{digits}f}"


def mean_wait_ms(servers, service_ms=SERVICE_MS):
    """Mean wait of an M/M/c queue, by Erlang's C."""
    load = RATE * service_ms / 1000
    if load >= servers:
        return math.inf
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    waits = servers * blocked / (servers - load * (1 - blocked))
    return waits * service_ms / (servers - load)


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def pool(results):
    rows = []
    for result in results:
        params = result["params"]
        size = int(params["connections"])
        served = statistics.fmean(iterations(result["secondaryMetrics"]["service.mean"]))
        theory = f"{mean_wait_ms(size):.2f}" if size <= 8 else "0"
        fitted = f"{mean_wait_ms(size, served):.2f}" if size <= 8 else "0"
        rows.append([params["client"], params["start"], size, figure(result, "backlog_wait.mean"), theory, fitted,
                     figure(result, "service.mean"), figure(result, "response.mean"), figure(result, "response.p99"),
                     figure(result, "lateness.p99")])
    table(["Client", "start", "connections", "wait for one, mean ms", "M/M/c", "M/M/c, service as measured",
           "service, mean ms", "response, mean ms",
           "response p99, ms", "our lateness p99, ms"], rows)


def generic(results, labels):
    keys = sorted({key for result in results for key in result.get("params", {})})
    rows = [[result["benchmark"].split(".")[-1], *(result["params"].get(key, "") for key in keys),
             result["primaryMetric"]["scoreUnit"], *(figure(result, label) for label in labels)] for result in results]
    table(["benchmark", *keys, "unit", *labels], rows)


def main(paths):
    for path in paths:
        with open(path) as file:
            results = json.load(file)
        print(f"\n{path}")
        name = results[0]["benchmark"]
        if "PoolSizing" in name:
            pool(results)
        elif "TlsHandshake" in name:
            generic(results, ["score", "processor", "clientMicros", "serverMicros"])
        elif "TlsAmortised" in name:
            generic(results, ["service.mean", "service.p50", "handshake.p50", "connect.p50"])
        else:
            generic(results, ["score", "processor", "response.p99", "service.p50", "service.p99", "lateness.p99"])


if __name__ == "__main__":
    main(sys.argv[1:])
