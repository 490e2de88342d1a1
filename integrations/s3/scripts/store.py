#!/usr/bin/env python3
"""End-to-end test of shards, processes and results in an object store, with moto as the store (pip install 'moto[server]' boto3).

    mvn -B -q -Pfast -DskipTests package -pl cli -am
    python3 integrations/s3/scripts/store.py

Prints a line per trial and exits with 1 if one fails.
"""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import boto3

ROOT = Path(__file__).resolve().parents[3]
JAR = ROOT / "cli/target/downbeat.jar"
BUCKET = "results"
wrong = 0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port):
    for _ in range(300):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"nothing listens on {port}")


def start(*words, **more):
    return subprocess.Popen(["java", "-jar", str(JAR), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def call(*words):
    begun = time.time()
    process = start(*words)
    output = process.communicate(timeout=180)[0]
    return process.returncode, output, time.time() - begun


def trial(name, right, more=""):
    global wrong
    wrong += not right
    print(f"{'ok   ' if right else 'WRONG'} {name}{': ' + more if more else ''}", flush=True)


def ledger(file):
    return json.loads(file.read_text())["ledger"]


def trials(folder, url, store, moto, client):
    plan = folder / "plan.json"
    call("plan", url, "-R", "400", "-d", "4s", "--shards", "2", "--accept-unsound", "-o", str(plan))
    begin = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 15))
    shards = [start("run", "--plan", str(plan), "--shard", f"{i}/2", "--start-at", begin, "-q",
                    "-o", f"s3://{BUCKET}/nightly/shard-{{shard}}.downbeat") for i in range(2)]
    codes = [shard.wait(120) for shard in shards]
    sum_ = folder / "all.json"
    code, output, _ = call("merge", f"s3://{BUCKET}/nightly/", "--max-skew", "5s", "-o", str(sum_))
    planned = ledger(sum_)["planned"] if sum_.exists() else 0
    trial("two shards upload, and merge reads them from the store", sum_.exists() and 1_400 < planned < 1_800,
          f"shards {codes}, merge {code}, {planned} requests" + ("" if sum_.exists() else " " + output.strip()[-300:]))

    code, output, _ = call("run", url, "-R", "400", "-d", "4s", "--processes", "2", "--accept-unsound", "-q",
                         "-o", f"s3://{BUCKET}/processes.json")
    got = client.get_object(Bucket=BUCKET, Key="processes.json")["Body"].read() if code == 0 else b"{}"
    counts = json.loads(got).get("ledger", {})
    trial("--processes 2 stores one report", code == 0 and 1_400 < counts.get("planned", 0) < 1_800,
          f"exit code {code}, {counts.get('planned')} requests" + ("" if code == 0 else " " + output.strip()[-300:]))
    left = [one["Key"] for one in client.list_objects_v2(Bucket=BUCKET).get("Contents", []) if "probe" in one["Key"]]
    trial("no probe is left behind", not left, ", ".join(left))

    code, output, seconds = call("run", url, "-d", "20s", "-o", "s3://no-such-bucket/x.downbeat")
    trial("a missing bucket is refused before the run", code == 2 and seconds < 15, f"{seconds:.1f} s: {output.strip()[:160]}")

    run = start("run", url, "-d", "60s", "-q", "--accept-unsound", "-o", f"s3://{BUCKET}/stopped.downbeat")
    time.sleep(12)
    run.send_signal(signal.SIGTERM)
    code = run.wait(40)
    keys = [one["Key"] for one in client.list_objects_v2(Bucket=BUCKET)["Contents"]]
    trial("a run ended by SIGTERM uploads its result so far", code == 143 and "stopped.downbeat" in keys, f"exit code {code}")

    run = start("run", url, "-d", "8s", "-q", "--accept-unsound", "-o", f"s3://{BUCKET}/frozen.downbeat")
    time.sleep(6)
    moto.send_signal(signal.SIGSTOP)
    begun = time.time()
    try:
        output = run.communicate(timeout=90)[0]
        seconds = time.time() - begun
    finally:
        moto.send_signal(signal.SIGCONT)
    kept = [word.rstrip(":") for word in output.split() if word.rstrip(":").endswith(".downbeat") and word.startswith("/")]
    trial("with an unresponsive store, the run ends in time and keeps the file", seconds < 45 and bool(kept) and Path(kept[0]).is_file(),
          f"{seconds:.0f} s: {output.strip()[:200]}")
    for file in kept:
        Path(file).unlink(missing_ok=True)


def main():
    port = free_port()
    os.environ.update(AWS_ENDPOINT_URL_S3=f"http://127.0.0.1:{port}", AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x",
                      AWS_REGION="eu-west-1", AWS_DEFAULT_REGION="eu-west-1", AWS_EC2_METADATA_DISABLED="true", DOWNBEAT_LAST="off")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        moto = subprocess.Popen([str(Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(port)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        service_port = free_port()
        service = subprocess.Popen(["java", "-jar", str(JAR), "serve", "--port", str(service_port)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            wait_for(service_port)
            client = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL_S3"])
            client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
            trials(folder, f"http://127.0.0.1:{service_port}/", BUCKET, moto, client)
        finally:
            for process in (moto, service):
                process.kill()
                process.wait()
    sys.exit(1 if wrong else 0)


main()
