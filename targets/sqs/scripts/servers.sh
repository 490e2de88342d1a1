#!/bin/sh
# Runs every operation with every transport against queues of moto and GoAWS, and prints tables. They show whether a queue with 30
# messages of others and its dead-letter queue stay unharmed, whether ledger and queue agree, and whether messages published to a
# topic (SNS) arrive. OPERATIONS= and TRANSPORTS= select some, TOPICS=no skips topics.
#
#   targets/sqs/scripts/servers.sh > targets/sqs/scripts/servers.md
#
# Needs python3 with pip, Go (or GOAWS=/path/to/goaws; GOAWS=none skips it) and the jars of 'DOWNBEAT_JARS=all ./downbeat --version'.
# Load goes to 127.0.0.1 only, but GoAWS listens on all addresses.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"

[ -x "$work/venv/bin/moto_server" ] || {
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q install 'moto[server]' boto3 >&2
}
goaws=${GOAWS:-$work/bin/cmd}
if [ "$goaws" != none ] && [ ! -x "$goaws" ]; then
    # Builds the sources of the fixed version: 'go install' needs the list of versions, which not every proxy has.
    sources=$(go mod download -json github.com/Admiral-Piett/goaws@v0.5.4 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    mkdir -p "$work/bin"
    (cd "$sources" && go build -o "$goaws" ./app/cmd) >&2
fi

"$work/venv/bin/moto_server" -H 127.0.0.1 -p 5057 >"$work/moto.log" 2>&1 &
moto=$!
trap 'kill $moto ${goaws_pid:-} 2>/dev/null || true' EXIT
servers="moto=http://127.0.0.1:5057"
if [ "$goaws" != none ]; then
    printf 'Local:\n  Host: 127.0.0.1\n  Port: 4157\n  AccountId: "100010001000"\n  LogToFile: false\n  QueueAttributeDefaults:\n    VisibilityTimeout: 30\n' >"$work/goaws.yaml"
    "$goaws" -config "$work/goaws.yaml" >"$work/goaws.log" 2>&1 &
    goaws_pid=$!
    servers="$servers goaws=http://127.0.0.1:4157"
fi
sleep 3
# shellcheck disable=SC2086
AWS_EC2_METADATA_DISABLED=true "$work/venv/bin/python" "$here/servers.py" "$root/downbeat" $servers
