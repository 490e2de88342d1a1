"""Runs Downbeat against SQS-compatible servers and prints what happened to their queues; see servers.sh."""

import json
import os
import subprocess
import sys
import tempfile
import time

import boto3
from botocore.config import Config

TRANSPORTS = os.environ.get("TRANSPORTS", "downbeat apache netty url-connection crt").split()
OPERATIONS = os.environ.get("OPERATIONS", "send send-batch receive delete delivery").split()
THEIRS = 30
REQUESTS = 20
BATCH = 5


def client(endpoint, service="sqs"):
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="anybody",
        aws_secret_access_key="nothing",
        config=Config(retries={"max_attempts": 1}),
    )


def count(sqs, url):
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return tuple(int(attributes.get(name, 0)) for name in names)


def fill(sqs, url, messages):
    for first in range(0, messages, 10):
        entries = [{"Id": str(i), "MessageBody": "theirs"} for i in range(first, min(first + 10, messages))]
        sqs.send_message_batch(QueueUrl=url, Entries=entries)


def find(tree, name):
    """The first value of that name at any depth of the report."""
    if isinstance(tree, dict):
        if name in tree:
            return tree[name]
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            found = find(part, name)
            if found is not None:
                return found
    return None


def run(downbeat, url, operation, transport, *more, **variables):
    command = [downbeat, "run", url, "--operation", operation, "--transport", transport, "-R", "50"]
    command += ["-n", str(REQUESTS), "--batch-size", str(BATCH), "--poll-wait", "1s", "--timeout", "10s"]
    command += ["-q", "--json", "--accept-unsound", *more]
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": "anybody", "AWS_SECRET_ACCESS_KEY": "nothing", **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, env=environment)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, None, done.stderr


def guest(downbeat, sqs, name, operation, transport):
    """What a queue with messages of others holds before and after."""
    dead = sqs.create_queue(QueueName=name + "-dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "3"})
    url = sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": "30", "RedrivePolicy": policy})["QueueUrl"]
    fill(sqs, url, THEIRS)
    before = count(sqs, url) + count(sqs, dead)[:1]
    code, _, _ = run(downbeat, url, operation, transport)
    after = count(sqs, url) + count(sqs, dead)[:1]
    theirs, counts = 0, set()
    for _ in range(40):
        found = sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"], MessageAttributeNames=["All"]
        ).get("Messages", [])
        if not found:
            break
        for message in found:
            if message["Body"] == "theirs":
                theirs += 1
                counts.add(message.get("Attributes", {}).get("ApproximateReceiveCount", "?"))
    sqs.delete_queue(QueueUrl=url)
    sqs.delete_queue(QueueUrl=dead)
    unharmed = theirs == THEIRS and counts <= {"1", "?"} and after[1] == 0 and after[2] == before[2]
    return code, before, after, theirs, "/".join(sorted(counts)), unharmed


def own(downbeat, sqs, name, operation, transport):
    """Whether report and queue agree, for an own queue."""
    url = sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": "60"})["QueueUrl"]
    more = []
    if operation == "receive":
        fill(sqs, url, REQUESTS * BATCH)
        more = ["--queue-is-mine", "--delete-received"]
    code, report, err = run(downbeat, url, operation, transport, *more)
    time.sleep(0.2)
    left = sum(count(sqs, url))
    sqs.delete_queue(QueueUrl=url)
    if report is None:
        return code, "-", err.strip().splitlines()[-1:] or "-", left, False
    answered = find(report, "answered")
    sent = find(report, "messages_sent") or 0
    received = find(report, "messages_received") or 0
    sent += find(report, "messages_of_unknown_fate") or 0
    expected = {"send": sent, "send-batch": sent, "receive": REQUESTS * BATCH - received}.get(operation, 0)
    errors = ", ".join(report["errors"])
    # If a server's response confirms nothing, the report says so and counts the messages as of unknown fate.
    agree = (answered == REQUESTS or "confirms nothing" in errors) and left == expected
    return code, f"{answered}/{REQUESTS} {errors}".strip(), f"{sent or received or '-'}", left, agree


def delivered_by_topic(downbeat, endpoint, name, transport, raw):
    """Whether each message published to a topic has arrived in its queue."""
    sqs, sns = client(endpoint), client(endpoint, "sns")
    url = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = sns.create_topic(Name=name)["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": raw})
    code, report, err = run(downbeat, url, "delivery", transport, "--endpoint", endpoint, "--region", "us-east-1", "--through", topic)
    time.sleep(0.2)
    left = sum(count(sqs, url))
    sns.delete_topic(TopicArn=topic)
    sqs.delete_queue(QueueUrl=url)
    if report is None:
        return code, (err.strip().splitlines() or ["-"])[-1], "-", left, False
    answered, delivered = find(report, "answered"), find(report, "messages_delivered")
    agree = answered == delivered == REQUESTS and left == 0
    return code, f"{answered}/{REQUESTS} {', '.join(report['errors'])}".strip(), delivered, left, agree


def trials(downbeat, endpoint, sqs):
    """Regression checks without a row in the tables above: description and result."""
    url = sqs.create_queue(QueueName=f"trials-{int(time.time() * 1000) % 100000}")["QueueUrl"]

    def answered(report, of=REQUESTS):
        return report is not None and find(report, "answered") == of and not report["errors"]

    _, report, _ = run(downbeat, url, "delivery", "downbeat", "--processes", "2")
    both = answered(report) and not find(report, "messages_not_arrived")
    yield "two processes know each other's messages", both and not find(report, "messages_of_others_given_back")
    messages = {run(downbeat, "sqs:nowhere", "send", transport, "--endpoint", endpoint)[2] for transport in TRANSPORTS}
    yield "a missing queue: the same message by every transport", (
        len({line.split("client: ")[-1] for line in messages}) == 1 and all("does not exist" in line for line in messages)
    )
    name = url.rsplit("/", 1)[1]
    _, report, _ = run(downbeat, "sqs:" + name, "send", "apache", AWS_ENDPOINT_URL=endpoint, AWS_ACCESS_KEY_ID="",
                       AWS_SECRET_ACCESS_KEY="", HTTP_PROXY="http://127.0.0.1:9", NO_PROXY="127.0.0.1")
    yield "AWS_ENDPOINT_URL without credentials, bypassing a proxy by NO_PROXY", answered(report)
    code, _, err = run(downbeat, url, "send", "netty", HTTP_PROXY="http://127.0.0.1:9", NO_PROXY="")
    yield "a proxy of the environment is used, and an unreachable one is named", code == 1 and "connection refused" in err
    sqs.purge_queue(QueueUrl=url)
    _, report, _ = run(downbeat, url, "receive", "downbeat")
    yield "an empty poll is answered", answered(report) and find(report, "polls_without_a_message") == REQUESTS
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as body:
        body.write("\u00e4" * 120000)
        body.flush()
        code, _, err = run(downbeat, url, "send-batch", "downbeat", "--data", "@" + body.name)
    yield "a batch that is too large in bytes, but not in characters, is refused", code == 2 and "bytes" in err
    sqs.delete_queue(QueueUrl=url)


def table_of_trials(downbeat, servers):
    print("\n| server | check | holds |\n|---|---|---|")
    wrong = 0
    for server, endpoint in servers:
        for what, holds in trials(downbeat, endpoint, client(endpoint)):
            wrong += not holds
            print(f"| {server} | {what} | {'yes' if holds else 'NO'} |", flush=True)
    return wrong


def topics(downbeat, servers):
    print("\nMessages published to a topic (SNS) that delivers to a queue, and messages received by the consumers.\n")
    print("| server | delivery | transport | exit | answered | delivered | left in the queue | agree |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = 0
    for server, endpoint in servers:
        for raw in ("true", "false"):
            for transport in TRANSPORTS:
                name = f"topic-{transport}-{int(time.time() * 1000) % 100000}"
                code, answered, delivered, left, agree = delivered_by_topic(downbeat, endpoint, name, transport, raw)
                wrong += not agree
                print(f"| {server} | {'raw' if raw == 'true' else 'wrapped'} | {transport} | {code} | {answered} |"
                      f" {delivered} | {left} | {'yes' if agree else 'NO'} |", flush=True)
    return wrong


def main():
    downbeat, servers = sys.argv[1], [word.split("=", 1) for word in sys.argv[2:]]
    print(f"Visible/hidden/dead-lettered messages of a queue with {THEIRS} messages of others, which moves a message to its dead-letter")
    print(f"queue after 3 receives; and {REQUESTS} requests on an empty queue of its own. Made by `servers.sh`.\n")
    print("| server | operation | transport | exit | before | after | receive counts | unharmed | own queue: answered"
          " | messages by the report | left in the queue | agree |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for server, endpoint in servers:
        sqs = client(endpoint)
        for operation in OPERATIONS:
            for transport in TRANSPORTS:
                name = f"{operation}-{transport}-{int(time.time() * 1000) % 100000}"
                code, before, after, theirs, counts, unharmed = guest(downbeat, sqs, name, operation, transport)
                _, answered, sent, left, agree = own(downbeat, sqs, name + "-own", operation, transport)
                wrong += (not unharmed) + (not agree)
                show = "/".join
                print(f"| {server} | {operation} | {transport} | {code} | {show(map(str, before))} |"
                      f" {show(map(str, after))} | {counts} | {'yes' if unharmed else 'NO'} | {answered} | {sent} |"
                      f" {left} | {'yes' if agree else 'NO'} |", flush=True)
    if os.environ.get("TOPICS", "yes") != "no":
        wrong += topics(downbeat, servers)
        wrong += table_of_trials(downbeat, servers)
    print(f"\n{wrong} failed checks.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
