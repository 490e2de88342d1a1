#!/usr/bin/env python3
"""Compares two runs of JMH, with intervals: compare.py OLD.json NEW.json

For each benchmark, case and figure: the ratio of the geometric means over all iterations of all forks, with a 95 %
interval by Welch's t on the logarithms. "cannot tell" where the interval holds 1. Iterations of one fork are not quite
independent, so with few forks the intervals are somewhat too narrow: run twice before you believe a small difference.
"""

import json
import math
import statistics
import sys

# Two-sided 95 % points of Student's t, for 1 to 30 degrees of freedom.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
       2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
SHOWN = ("response.mean", "response.p99", "service.mean", "service.p50", "backlog_wait.mean", "handshake.p50",
         "connect.p50", "lookup.p50", "processor")


def t95(freedom):
    return T95[max(1, min(30, int(freedom))) - 1]


def iterations(metric):
    return [value for fork in metric.get("rawData", []) for value in fork if isinstance(value, (int, float))]


def figures(path):
    """(benchmark, case, figure) -> (values, unit)"""
    found = {}
    with open(path) as file:
        for result in json.load(file):
            name = ".".join(result["benchmark"].split(".")[-2:])
            case = ", ".join(f"{key}={value}" for key, value in sorted(result.get("params", {}).items()))
            primary = result["primaryMetric"]
            found[name, case, "score"] = iterations(primary), primary["scoreUnit"]
            for label, metric in result["secondaryMetrics"].items():
                if label in SHOWN:
                    found[name, case, label] = iterations(metric), metric["scoreUnit"]
    return found


def interval(old, new):
    """Ratio new/old of the geometric means and its interval; None where there are too few values."""
    a, b = ([math.log(value) for value in values if value > 0] for values in (old, new))
    if len(a) < 2 or len(b) < 2:
        return None
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    middle = statistics.fmean(b) - statistics.fmean(a)
    if va + vb == 0:
        half = 0
    else:
        freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
        half = t95(freedom) * math.sqrt(va + vb)
    return tuple(math.exp(x) for x in (middle, middle - half, middle + half))


def main(old_path, new_path):
    old, new = figures(old_path), figures(new_path)
    common = [key for key in old if key in new]
    if not common:
        sys.exit("the two runs have no benchmark in common")
    print("| Benchmark | Case | Figure | old | new | Unit | new / old (95 %) | |\n|---|---|---|--:|--:|---|--:|---|")
    for key in common:
        (before, unit), (after, _) = old[key], new[key]
        found = interval(before, after)
        if found is None:
            continue
        ratio, low, high = found
        verdict = "cannot tell" if low <= 1 <= high else "more" if ratio > 1 else "less"
        print(f"| {key[0]} | {key[1]} | {key[2]} | {statistics.median(before):,.2f} | {statistics.median(after):,.2f} "
              f"| {unit} | {ratio:.2f} ({low:.2f} to {high:.2f}) | {verdict} |")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
