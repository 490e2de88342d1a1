#!/usr/bin/env python3
"""Prints the tables of the client-costs summary from JMH's JSON: client_costs.py FILE...

Percentiles are merged ones, with the range of single iterations in parentheses. Means have 95 % intervals by Student's t: over the
means of the forks if there are at least three, otherwise over all iterations. The latter are somewhat too narrow, since iterations
of one process are not independent.
"""

import json
import math
import re
import statistics
import sys

T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
       2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
RATE, SERVICE_MS = 500, 10


def load(*paths):
    """Results of several files; the forks of a case that is in several files are combined."""
    found = {}
    for path in paths:
        with open(path) as file:
            for result in json.load(file):
                key = result["benchmark"], result["threads"], tuple(sorted(result.get("params", {}).items()))
                if key not in found:
                    found[key] = result
                    continue
                for label, metric in found[key]["secondaryMetrics"].items():
                    metric["rawData"] += result["secondaryMetrics"].get(label, {"rawData": []})["rawData"]
    return list(found.values())


def metric_of(result, label):
    return result["primaryMetric"] if label == "score" else result["secondaryMetrics"].get(label)


def iterations(metric):
    return [value for fork in metric.get("rawData", []) for value in fork if isinstance(value, (int, float))]


def t95(freedom):
    return T95[max(1, min(30, freedom)) - 1]


def interval(result, label, scale=1.0):
    """(mean, low, high) or None; without an interval, low and high are the mean. For percentiles, the merged one and the range
    of single iterations."""
    metric = metric_of(result, label)
    values = iterations(metric) if metric else []
    if not values:
        return None
    if is_percentile(label):
        return metric["score"] * scale, min(values) * scale, max(values) * scale
    forks = [statistics.fmean(fork) for fork in metric["rawData"] if fork]
    independent = forks if len(forks) >= 3 else values
    mean = statistics.fmean(values) * scale
    if len(independent) < 2:
        return mean, mean, mean
    half = t95(len(independent) - 1) * statistics.stdev(independent) / math.sqrt(len(independent)) * scale
    return mean, mean - half, mean + half


def is_percentile(label):
    return re.search(r"\.(p[0-9.]+|max)$", label) is not None


def number(value):
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def figure(result, label, scale=1.0):
    """Mean and half the width of its interval, as text; for percentiles the merged one and the range, because a mean of
    percentiles is not a percentile."""
    found = interval(result, label, scale)
    if found is None:
        return ""
    mean, low, high = found
    if is_percentile(label):
        return f"{number(mean)} ({number(low)} to {number(high)})"
    digits = 0 if mean >= 100 else 1 if mean >= 10 else 2
    return f"{mean:,.{digits}f} ± {(high - low) / 2:,.{digits}f}" if high > low else f"{mean:,.{digits}f}"


def mean_wait_ms(servers, service_ms=SERVICE_MS):
    """Mean wait of an M/M/c queue, by Erlang's C."""
    load_ = RATE * service_ms / 1000
    if load_ >= servers:
        return math.inf
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load_ * blocked / (k + load_ * blocked)
    waits = servers * blocked / (servers - load_ * (1 - blocked))
    return waits * service_ms / (servers - load_)


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
        rows.append([params.get("client", "virtual"), params.get("start", ""), size, figure(result, "backlog_wait.mean"),
                     theory, fitted, figure(result, "backlog_wait.p99"), figure(result, "service.mean"),
                     figure(result, "response.mean"), figure(result, "response.p99"), figure(result, "response.max"),
                     figure(result, "lateness.p99")])
    table(["Client", "start", "connections", "wait for one, mean ms", "M/M/c", "M/M/c, service as measured",
           "wait p99, ms", "service, mean ms", "response, mean ms", "response p99, ms", "response max, ms",
           "our lateness p99, ms"], rows)


def generic(results, labels, scale=1.0, unit=None):
    keys = sorted({key for result in results for key in result.get("params", {})})
    rows = [[result["benchmark"].split(".")[-1], result["threads"], *(result.get("params", {}).get(key, "") for key in keys),
             unit or result["primaryMetric"]["scoreUnit"], *(figure(result, label, scale) for label in labels)]
            for result in results]
    table(["benchmark", "threads", *keys, "unit", *labels], rows)


def main(paths):
    for path in paths:
        results = load(path)
        loads = sorted({tuple(result["loadAverage"].values()) for result in results if "loadAverage" in result})
        print(f"\n{path}; load average before and after: {loads}")
        name = results[0]["benchmark"]
        if "PoolSizing" in name:
            pool(results)
        elif "TlsHandshake" in name:
            generic(results, ["score", "processor", "clientMicros", "serverMicros"])
        elif "TlsAmortised" in name:
            for result in results:  # converts the CPU time per run to one per request
                metric = result["secondaryMetrics"]["processor"]
                per = int(result["params"]["requests"]) * 1e6
                metric["rawData"] = [[value / per for value in fork] for fork in metric["rawData"]]
            generic(results, ["service.mean", "processor", "service.p50", "handshake.p50", "connect.p50"], 1e3, "us")
        elif ".connection." in name:
            generic(results, ["service.mean", "service.p50", "service.p99", "connect.p50", "lookup.p50"], 1e3, "us")
        else:
            generic(results, ["score", "processor", "service.mean", "service.p50", "service.p99", "response.p50",
                              "response.p99", "lateness.p99", "connect.p50", "lookup.p50", "gc.alloc.rate.norm"])


if __name__ == "__main__":
    main(sys.argv[1:])
