#!/usr/bin/env python3
"""Measures what grows with the names, length, connections and rate of a run: CPU time per request during the run, CPU time of start
and end, and peak memory. Writes jmh-benchmarks/results/NAME.json and docs/growth.svg.

usage: growth.py NAME [CURVE...]

  growth.py 2026-11-27-growth                  all curves: 25 minutes, 17 of them the lengths; draws docs/growth.svg
  growth.py 2026-11-27-growth names seconds    only these, again: NAME.json keeps the least time and most memory of each point

Reads only the client's CPU time and memory, so other load on the machine disturbs little. Uses --pacing block, since busy waiting
would hide the growth. Loopback only.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from importlib import import_module

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "jmh-benchmarks/results"
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
many = import_module("many-connections")

# curve: steps, request rate, length in seconds; None stands for the step
CURVES = {
    "names": ([1, 10, 100, 1_000, 10_000], 2_000, 15),
    "seconds": ([10, 30, 100, 300, 600], 1_000, None),
    # When half of the local ports (about 14,000) are in use, Linux takes 1 ms or more to find a free one for each connect.
    "connections": ([1, 10, 100, 1_000, 10_000, 14_000], 2_000, 15),
    "requests a second": ([100, 300, 1_000, 3_000, 10_000], None, 15),
}
SERIES = [("cpu_us", "CPU of a request, us"), ("rest_ms", "CPU of start and end, ms"), ("memory_mb", "peak memory, MB")]


def measured(port, curve, step, folder):
    _, rate, seconds = CURVES[curve]
    url = f"http://127.0.0.1:{port}/"
    target = url
    if curve == "names":
        target = str(folder / "names.http")
        pathlib.Path(target).write_text("\n".join(f"### n{i}\nGET {url}{i}\n" for i in range(step)))
    command = [DOWNBEAT, "run", target, "-R", str(rate or step), "-d", f"{seconds or step}s", "-q", "--accept-unsound", "--pacing", "block"]
    command += ["--json", "-o", str(folder / "a.downbeat"), "-o", str(folder / "a.html")]
    if curve == "connections":
        command += ["-c", str(step), "--connect-timeout", "120s"]
    environment = dict(os.environ, DOWNBEAT_LAST="off")
    with tempfile.TemporaryFile() as out:
        client = subprocess.Popen(command, stdout=out, env=environment)
        _, status, used = os.wait4(client.pid, 0)
        client.returncode = os.waitstatus_to_exitcode(status)
        if client.returncode not in (0, 98, 99):
            sys.exit(f"{curve} {step}: exit code {client.returncode}")
        out.seek(0)
        run = json.load(out)
    running = run["health"]["cpu_ns"]
    whole = (used.ru_utime + used.ru_stime) * 1e9
    ended = run["ledger"]["answered"]
    return {"x": step, "cpu_us": round(running / ended / 1e3, 1),
            "rest_ms": round((whole - running) / 1e6), "memory_mb": round(used.ru_maxrss / 1024, 1)}


def draw(all_points, path):
    sys.path.insert(0, str(RESULTS))
    svg = import_module("svg")
    width, height, top = 390, 230, 110
    page = svg.Page(top + 2 * (height + 60) + 8, "What grows with a run, and what does not",
                    "processor time and memory of one process; a page and a .downbeat file are written; scales are logarithmic")
    page.legend(76, [(name, svg.COLOURS[i]) for i, (_, name) in enumerate(SERIES)])
    shown = [p[key] for points in all_points.values() for p in points for key, _ in SERIES]
    for n, (curve, points) in enumerate(all_points.items()):
        left, upper = 58 + n % 2 * (width + 26), top + n // 2 * (height + 60)
        across = svg.Axis(min(p["x"] for p in points) * 0.7, max(p["x"] for p in points) * 1.4, left, left + width - 20, True)
        up = svg.Axis(min(shown) * 0.7, max(shown) * 1.4, upper + height, upper, True)
        for tick in (t for t in (10, 30, 100, 300, 1_000, 3_000, 10_000) if up.reaches(t)):
            page.line(left, up.at(tick), left + width - 20, up.at(tick), svg.GRID)
            page.text(left - 6, up.at(tick) + 4, svg.words(tick), "end", svg.FAINT, 11)
        for i, (key, _) in enumerate(SERIES):
            before = None
            for p in points:
                here = across.at(p["x"]), up.at(p[key])
                if before:
                    page.line(*before, *here, svg.COLOURS[i], 2)
                page.dot(*here, svg.COLOURS[i])
                page.text(here[0], here[1] + (17 if i == 0 else -8), svg.words(round(p[key])), "middle", svg.COLOURS[i], 11)
                before = here
        for p in points:
            page.text(across.at(p["x"]), upper + height + 16, f"{p['x']:,}", "middle", svg.FAINT, 11)
        page.line(left, upper + height, left + width - 20, upper + height, svg.FAINT)
        page.text(left + (width - 20) / 2, upper + height + 36, curve, "middle")
    page.write(path)


def main(name, wanted):
    unknown = set(wanted) - set(CURVES)
    if unknown:
        sys.exit(f"unknown curve {', '.join(sorted(unknown))}; known are {', '.join(CURVES)}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kept = RESULTS / f"{name}.json"
    points = json.loads(kept.read_text()) if kept.exists() else {}
    server, port = many.serve(False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for curve in wanted or CURVES:
                known = {p["x"]: p for p in points.get(curve, []) if p["x"] in CURVES[curve][0]}
                for step in CURVES[curve][0]:
                    if curve == "connections" and step + 200 > hard:
                        print(f"{curve} {step:,}: exceeds the limit of {hard:,} open files", flush=True)
                        continue
                    now = measured(port, curve, step, pathlib.Path(folder))
                    print(curve, now, flush=True)
                    before = known.get(step, now)
                    known[step] = {key: (max if key == "memory_mb" else min)(before[key], now[key]) for key in now}
                    points[curve] = [known[x] for x in sorted(known)]
                    kept.write_text(json.dumps({c: points[c] for c in CURVES if c in points}, indent=1) + "\n")
    finally:
        server.terminate()
        server.wait()
    draw({c: points[c] for c in CURVES if c in points}, ROOT / "docs/growth.svg")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
