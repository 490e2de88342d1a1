"""SqsLoop.java in Python: several threads, each of which only sends in a loop with its own boto3 client."""

import json
import sys
import threading
import time

import boto3
from botocore.config import Config

endpoint, clients, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
queue = endpoint + "/000000000000/stub"


def client():
    return boto3.session.Session().client(
        "sqs",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="anybody",
        aws_secret_access_key="nothing",
        config=Config(max_pool_connections=1, retries={"max_attempts": 1}),
    )


def loop(sqs, until, took):
    while time.monotonic() < until:
        begun = time.monotonic_ns()
        sqs.send_message(QueueUrl=queue, MessageBody="x")
        took.append(time.monotonic_ns() - begun)


def run(all_clients, length):
    took = []
    until = time.monotonic() + length
    threads = [threading.Thread(target=loop, args=(sqs, until, took)) for sqs in all_clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(took)


made = [client() for _ in range(clients)]
run(made, 0.8)
wall, cpu = time.monotonic_ns(), time.process_time_ns()
took = run(made, seconds)
print(json.dumps({
    "ledger": {"answered": len(took)},
    "health": {"wall_ns": time.monotonic_ns() - wall, "cpu_ns": time.process_time_ns() - cpu},
    "service": {"p99_ns": took[len(took) * 99 // 100]},
}, indent=2))
