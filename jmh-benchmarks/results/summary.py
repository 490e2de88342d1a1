#!/usr/bin/env python3
"""Prints a Markdown table of the medians, over all iterations of all forks, in JMH's JSON: summary.py FILE..."""

import json
import statistics
import sys


def iterations(metric):
    return [value for fork in metric["rawData"] for value in fork]


def rows(path):
    with open(path) as file:
        for result in json.load(file):
            name = ".".join(result["benchmark"].split(".")[-2:])
            case = ", ".join(f"{key}={value}" for key, value in result.get("params", {}).items())
            yield (name, case), result


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def main(paths):
    for path in paths:
        print(f"\n{path}\n\n| Benchmark | Case | Median | Least | Greatest | Unit | B/op | n |\n|---|---|--:|--:|--:|---|--:|--:|")
        for (name, case), result in rows(path):
            values = iterations(result["primaryMetric"])
            allocated = result["secondaryMetrics"].get("gc.alloc.rate.norm")
            per_op = number(statistics.median(iterations(allocated))) if allocated else ""
            middle, least, greatest = (number(f(values)) for f in (statistics.median, min, max))
            unit = result["primaryMetric"]["scoreUnit"]
            print(f"| {name} | {case} | {middle} | {least} | {greatest} | {unit} | {per_op} | {len(values)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
