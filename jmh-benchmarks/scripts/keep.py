#!/usr/bin/env python3
"""Appends JMH results to a file that can be committed: keep.py NEW.json KEPT.json LOAD_BEFORE LOAD_AFTER

Removes paths of the machine and adds the load average before and after. Thins files of more than 300 kB and marks that in them:
first it drops the single samples of SampleTime ("rawDataHistogramLeftOut"), then the iterations of all percentiles
("rawDataLeftOut"), but never those of scores and means.
"""

import json
import os
import sys

MOST_BYTES = 300_000


def cleaned(result, before, after):
    result["jvm"] = "java"
    result["jvmArgs"] = [argument for argument in result.get("jvmArgs", []) if "/" not in argument]
    result["loadAverage"] = {"before": float(before), "after": float(after)}
    return result


def text(results):
    return json.dumps(results, indent=0, separators=(",", ":")) + "\n"


def metrics(results):
    for result in results:
        yield "score", result["primaryMetric"]
        yield from result["secondaryMetrics"].items()


def thinned(results):
    """The results as text, thinned only as far as needed for the limit."""
    for field, goes in (("rawDataHistogram", lambda label: True),
                        ("rawData", lambda label: ".p" in label or ".max" in label)):
        if len(text(results)) <= MOST_BYTES:
            break
        for label, metric in metrics(results):
            if goes(label) and metric.pop(field, None) is not None:
                metric[field + "LeftOut"] = True
    return text(results)


def main(new_path, kept_path, before, after):
    kept = []
    if os.path.exists(kept_path):
        with open(kept_path) as file:
            kept = json.load(file)
    with open(new_path) as file:
        kept += [cleaned(result, before, after) for result in json.load(file)]
    with open(kept_path, "w") as file:
        file.write(thinned(kept))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
