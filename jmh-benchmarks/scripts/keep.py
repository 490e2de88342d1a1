#!/usr/bin/env python3
"""Adds results of JMH to a file that can be committed: keep.py NEW.json KEPT.json LOAD_BEFORE LOAD_AFTER

Paths of the machine go, the load average before and after comes in. Samples of SampleTime are thinned to the counts that
JMH has of them ("rawDataHistogram" goes, the score of each iteration stays) if the file would exceed 300 kB.
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


def without_samples(results):
    for result in results:
        for metric in (result["primaryMetric"], *result["secondaryMetrics"].values()):
            if metric.pop("rawDataHistogram", None) is not None:
                metric["rawDataHistogramLeftOut"] = True
    return results


def main(new_path, kept_path, before, after):
    kept = []
    if os.path.exists(kept_path):
        with open(kept_path) as file:
            kept = json.load(file)
    with open(new_path) as file:
        kept += [cleaned(result, before, after) for result in json.load(file)]
    said = text(kept)
    if len(said) > MOST_BYTES:
        said = text(without_samples(kept))
    with open(kept_path, "w") as file:
        file.write(said)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
