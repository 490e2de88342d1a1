#!/usr/bin/env python3
"""Compares Apache Otava (pip install apache-otava) with Downbeat on the histories of LevelChangesTest.

    mvn -pl analysis -am -Dtest=LevelChangesTest -Dsurefire.failIfNoSpecifiedTests=false -Ddownbeat.replications=1 test
    python3 analysis/scripts/history-beside-otava.py analysis/target/replications

Prints the table "Histories" of jmh-benchmarks/results/2026-11-24-statistics.md.
"""
import logging
import sys
from pathlib import Path

from otava.series import AnalysisOptions, Metric, Series

logging.disable(logging.CRITICAL)
NEAR = 3  # builds


def changes(values, orig):
    options = AnalysisOptions()
    options.orig_edivisive = orig
    series = Series("history", None, list(range(len(values))), {"p99": Metric()}, {"p99": values}, {})
    found = series.analyze(options).change_points["p99"]
    return [(c.index, c.stats.mean_2 > c.stats.mean_1 if hasattr(c.stats, "mean_1")
             else sum(values[c.index:c.index + 5]) > sum(values[max(0, c.index - 5):c.index])) for c in found]


def is_right(at, change):
    index, rise = change
    return rise and (at == 0 or (at > 0 and abs(index - at) <= NEAR))


def rows(lines, orig):
    counts = {}
    for line in lines:
        kind, words, at, _, *values = line.split(",")
        found = changes([float(value) for value in values], orig)
        right = [c for c in found if is_right(int(at), c)]
        count = counts.setdefault(words.replace(";", ","), [int(at), 0, 0, 0])
        count[1] += 1
        count[2] += bool(right)
        count[3] += len(right) != len(found)
    return counts


folder = Path(sys.argv[1])
lines = (folder / "histories.md").read_text().splitlines()
ours = {}
for line in (folder / "history.md").read_text().splitlines():
    name, found, missed, wrong, *_ = [cell.strip() for cell in line.strip("|").split("|")]
    ours[name] = (found, missed, wrong)
hunter, permutations = rows(lines, False), rows(lines, True)


def three(count):
    at, n, found, wrong = count
    share = 100 * found / n
    return f"{share:.1f} | {0 if at < 0 else 100 - share:.1f} | {100 * wrong / n:.1f}"


print("| 200 histories of 50 builds | found | missed | false | Otava: found | missed | false | e-divisive: found | missed | false |")
print("|---|---|---|---|---|---|---|---|---|---|")
for name, count in hunter.items():
    print(f"| {name} | {' | '.join(ours[name])} | {three(count)} | {three(permutations[name])} |")
