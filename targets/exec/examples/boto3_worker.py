"""A worker for `downbeat run exec:'python3 boto3_worker.py QUEUE_URL'`: sends a message per line with boto3, over a kept connection."""

import json
import sys
import time

import boto3
import urllib3.connection
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

opened = 0
details = {}


def timed(connection_class):
    connect = connection_class.connect

    def connect_and_tell(self):
        global opened
        begin = time.perf_counter_ns()
        connect(self)
        opened += 1
        details["connect_ns"] = time.perf_counter_ns() - begin  # with lookup and TLS handshake

    connection_class.connect = connect_and_tell


timed(urllib3.connection.HTTPConnection)
timed(urllib3.connection.HTTPSConnection)
url = sys.argv[1]
local = {} if ".amazonaws.com" in url else {
    "endpoint_url": "/".join(url.split("/")[:3]), "region_name": "us-east-1",
    "aws_access_key_id": "x", "aws_secret_access_key": "x", "verify": False,
}
sqs = boto3.client("sqs", config=Config(retries={"total_max_attempts": 1}), **local)

for line in sys.stdin:
    if line.strip() == "ping":
        print("pong", flush=True)
        continue
    details = {}
    body = json.loads(line).get("vars", {}).get("data", "x")
    try:
        sqs.send_message(QueueUrl=url, MessageBody=body)
        said = "ok"
    except ClientError as failure:
        said = "fail " + failure.response["Error"]["Code"]
    except BotoCoreError as failure:
        said = f"fail {type(failure).__name__}"
    details["connection"] = opened
    print(said, json.dumps(details), flush=True)
