#!/usr/bin/env python3
"""Builds examples/spring once for each of its load tests, and again beside busy loops; prints exit codes and result lines.

    mvn -Pfast -DskipTests package -pl junit-plugin,integrations/spring-boot,integrations/micrometer,targets/jdbc -am
    python3 junit-plugin/examples/check-spring.py [--busy 8 [--busy-alone]] [--only is_broken] > table.md

Starts the busy loops itself and always ends them. --busy-alone skips the round without them. Exits with 1 if a build ends with a
wrong result. Uses links to your local repository and writes to it only with --online.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = {
    "core": "downbeat-core", "analysis": "downbeat-analysis", "report": "downbeat-report", "load": "downbeat",
    "integrations/watch": "downbeat-watch", "junit-plugin": "downbeat-junit", "integrations/spring-boot": "downbeat-spring-boot",
    "integrations/micrometer": "downbeat-micrometer", "targets/jdbc": "downbeat-jdbc",
}
VERSION = re.search("<revision>(.*)</revision>", (ROOT / "pom.xml").read_text()).group(1)
OFFLINE = ["-o"]

# Test, arguments, right exit codes without and with busy loops (a test may then be undecided), pattern of the result lines.
CASES = [
    ("is_healthy", [], (0,), (0, 1), r"PASSED|UNDECIDED"),
    ("stalls", [], (1,), (1,), r"MISSED|UNDECIDED"),
    ("has_too_few_samples", [], (1,), (1,), r"UNDECIDED"),
    ("is_broken", [], (1,), (1,), r"errors < 1 % MISSED: measured 100 %"),
    ("is_slower_than_the_base", ["-Dshop.against=/"], (1,), (0, 1), r"SLOWER than the other build|cannot tell|not compared"),
    ("is_healthy_without_waiting", [], (0,), (0, 1), r"PASSED|UNDECIDED"),
    ("the_pool_is_large_enough", [], (0,), (0, 1), None),  # an ordinary assertion, which prints nothing if it holds
    ("is_healthy+places_one_order+is_healthy_without_waiting", [], (0,), (0, 1), r"PASSED|UNDECIDED"),
]


def repository(folder):
    own = Path(os.environ.get("MAVEN_REPOSITORY", Path.home() / ".m2/repository"))
    to = folder / "repository"
    (to / "dev/downbeat").mkdir(parents=True)
    for entry in own.iterdir():
        if entry.name != "dev":
            (to / entry.name).symlink_to(entry)
    for entry in (own / "dev").iterdir() if (own / "dev").is_dir() else []:
        if entry.name != "downbeat":
            (to / "dev" / entry.name).symlink_to(entry)
    for module, artifact in MODULES.items():
        at = to / "dev/downbeat" / artifact / VERSION
        at.mkdir(parents=True)
        shutil.copy(ROOT / module / f"target/{artifact}-{VERSION}.jar", at)
        shutil.copy(ROOT / module / "target/.flattened-pom.xml", at / f"{artifact}-{VERSION}.pom")
    return to


def build(project, to, test, more):
    began = time.time()
    done = subprocess.run(
        ["mvn", "-B", "-q", *OFFLINE, f"-Dmaven.repo.local={to}", f"-Ddownbeat.version={VERSION}", f"-Dit.test=OrdersIT#{test}", "verify", *more],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[downbeat] ")]
    return done.returncode, lines, done.stdout, time.time() - began


def rows(busy, project, to, only):
    wrong = 0
    for test, more, quiet_codes, busy_codes, says in (case for case in CASES if only in (None, case[0])):
        code, lines, log, seconds = build(project, to, test, more)
        right = code in (busy_codes if busy else quiet_codes) and (says is None or lines and all(re.search(says, line) for line in lines))
        wrong += not right
        for line in lines or [log.strip()[-400:].replace("\n", " ")]:
            sentence = re.sub(r"; report: .*", "", line.removeprefix("[downbeat] "))
            print(f"| {busy} busy loops | {test.replace('+', ', ')} | {code}{'' if right else ' (WRONG)'} | {seconds:.0f} s | {sentence} |",
                  flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--busy", type=int, default=0, help="number of busy loops in the second round")
    parser.add_argument("--busy-alone", action="store_true", help="skips the first round")
    parser.add_argument("--only", choices=[case[0] for case in CASES], help="runs only this case")
    parser.add_argument("--kotlin", action="store_true", help="builds examples/kotlin instead")
    parser.add_argument("--online", action="store_true", help="downloads artifacts that your repository lacks")
    given = parser.parse_args()
    busy = given.busy
    if given.online:
        OFFLINE.clear()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        to = repository(folder)
        if given.kotlin:
            project = folder / "kotlin"
            shutil.copytree(ROOT / "junit-plugin/examples/kotlin", project, ignore=shutil.ignore_patterns("target"))
            sys.exit(subprocess.run(["mvn", "-B", "-q", *OFFLINE, f"-Dmaven.repo.local={to}", f"-Ddownbeat.version={VERSION}", "test"], cwd=project).returncode)
        project = folder / "spring"
        shutil.copytree(ROOT / "junit-plugin/examples/spring", project, ignore=shutil.ignore_patterns("target"))
        # Compiles now, rather than beside the loops.
        code, _, log, _ = build(project, to, "none", ["-DskipTests"])
        if code:
            sys.exit(f"{log[-2000:]}\nthe example does not compile; --online lets Maven download missing artifacts")
        print("| beside | load test | exit code | build | result |\n|---|---|---|---|---|")
        wrong = 0 if given.busy_alone else rows(0, project, to, given.only)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        loops = []
        try:
            loops += [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
            wrong += rows(busy, project, to, given.only) if busy else 0
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
