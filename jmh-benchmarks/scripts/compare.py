#!/usr/bin/env python3
"""Compares two JMH runs with confidence intervals: compare.py OLD.json NEW.json [MARGIN]

Prints the ratio of the geometric means for each benchmark, case and figure, with a 95 % interval by Welch's t on the logarithms.
Samples are the forks if there are at least three, otherwise all iterations. The verdict:

  same         the whole interval lies within the margin around 1 (default 0.1: 0.91 to 1.1)
  less, more   the whole interval lies on one side of 1
  cannot tell  neither: the interval is too wide; run more forks

Iterations of one fork are not independent, so with fewer than three forks the intervals are somewhat too narrow. Run twice before
you believe a small difference.
"""

import json
import math
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results"))
from client_costs import is_percentile, t95  # noqa: E402

SHOWN = ("response.mean", "response.p99", "service.mean", "service.p50", "backlog_wait.mean", "handshake.p50",
         "connect.p50", "lookup.p50", "processor")


def logarithms(metric):
    """Of the forks' means, or of all iterations if there are fewer than three forks; ignores values that are not positive."""
    forks = [[math.log(value) for value in fork if isinstance(value, (int, float)) and value > 0]
             for fork in metric.get("rawData", [])]
    forks = [fork for fork in forks if fork]
    return [statistics.fmean(fork) for fork in forks] if len(forks) >= 3 else [value for fork in forks for value in fork]


def figures(path):
    """(benchmark, case, figure) -> (logarithms, unit, merged over all)"""
    found = {}
    with open(path) as file:
        for result in json.load(file):
            name = ".".join(result["benchmark"].split(".")[-2:])
            params = sorted(result.get("params", {}).items())
            if result["threads"] > 1:
                params.append(("threads", result["threads"]))
            case = ", ".join(f"{key}={value}" for key, value in params)
            primary = result["primaryMetric"]
            metrics = {"score": primary, **{label: metric for label, metric in result["secondaryMetrics"].items()
                                            if label in SHOWN}}
            for label, metric in metrics.items():
                found[name, case, label] = logarithms(metric), metric["scoreUnit"], metric["score"]
    return found


def interval(old, new):
    """Ratio new/old of the geometric means and its interval; None if there are too few values."""
    if len(old) < 2 or len(new) < 2:
        return None
    va, vb = statistics.variance(old) / len(old), statistics.variance(new) / len(new)
    middle = statistics.fmean(new) - statistics.fmean(old)
    half = 0
    if va + vb > 0:
        freedom = (va + vb) ** 2 / (va**2 / (len(old) - 1) + vb**2 / (len(new) - 1))
        half = t95(int(freedom)) * math.sqrt(va + vb)
    return tuple(math.exp(x) for x in (middle, middle - half, middle + half))


def verdict(low, high, margin):
    if 1 / (1 + margin) <= low and high <= 1 + margin:
        return "same"
    return "cannot tell" if low <= 1 <= high else "more" if low > 1 else "less"


def words(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def main(old_path, new_path, margin="0.1"):
    old, new = figures(old_path), figures(new_path)
    common = [key for key in old if key in new]
    if not common:
        sys.exit("the two runs have no benchmark in common")
    print("| Benchmark | Case | Figure | old | new | Unit | new / old (95 %) | |\n|---|---|---|--:|--:|---|--:|---|")
    for key in common:
        (before, unit, merged_before), (after, _, merged_after) = old[key], new[key]
        found = interval(before, after)
        if found is None:
            continue
        ratio, low, high = found
        was, now = (math.exp(statistics.fmean(values)) for values in (before, after))
        if is_percentile(key[2]):  # shows merged percentiles, like the pages; the ratio is that of single runs
            was, now = merged_before, merged_after
        print(f"| {key[0]} | {key[1]} | {key[2]} | {words(was)} | {words(now)} | {unit} "
              f"| {ratio:.2f} ({low:.2f} to {high:.2f}) | {verdict(low, high, float(margin))} |")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
