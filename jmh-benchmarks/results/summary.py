#!/usr/bin/env python3
"""Prints a Markdown table of the medians over all iterations of all forks in JMH's JSON: summary.py FILE..."""

import json
import statistics
import sys

HEAD = """
| Benchmark | Case | Processor | Wall | least | greatest | Unit | B/op | n |
|---|---|--:|--:|--:|--:|---|--:|--:|"""
NANOS_PER = {"ns/op": 1, "us/op": 1_000, "ms/op": 1_000_000}


def iterations(metric):
    return [value for fork in metric["rawData"] for value in fork]


def median(result, metric):
    found = result["secondaryMetrics"].get(metric)
    return statistics.median(iterations(found)) if found else None


def number(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def row(result):
    name = ".".join(result["benchmark"].split(".")[-2:])
    case = ", ".join(f"{key}={value}" for key, value in result.get("params", {}).items())
    if "-XX:TieredStopAtLevel=1" in result.get("jvmArgs", []):
        case = f"{case}, by C1 alone".removeprefix(", ")
    unit = result["primaryMetric"]["scoreUnit"]
    wall = iterations(result["primaryMetric"])
    processor = median(result, "processor")
    cells = [
        processor and processor / NANOS_PER[unit],
        statistics.median(wall),
        min(wall),
        max(wall),
    ]
    allocated = number(median(result, "gc.alloc.rate.norm"))
    return f"| {name} | {case} | {' | '.join(map(number, cells))} | {unit} | {allocated} | {len(wall)} |"


def main(paths):
    for path in paths:
        print(f"\n{path}\n{HEAD}")
        with open(path) as file:
            for result in json.load(file):
                print(row(result))


if __name__ == "__main__":
    main(sys.argv[1:])
