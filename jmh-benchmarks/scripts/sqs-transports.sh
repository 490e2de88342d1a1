#!/bin/sh
# Compares the transports with a plain loop of the SDK and one of boto3, against the same queue stub in another process.
# 16 clients in a closed loop on 16 connections, alternating runs. Prints throughput, and CPU time of the whole process per send.
# usage: [PYTHON=python-with-boto3] jmh-benchmarks/scripts/sqs-transports.sh [ROUNDS [SECONDS [TRANSPORT...]]]
# TRANSPORT is one of --transport, or sdk-loop, or boto3
. "$(dirname "$0")/lib.sh"
rounds=${1:-5} seconds=${2:-6} clients=16
[ $# -gt 2 ] && shift 2 || set -- downbeat apache netty url-connection crt sdk-loop boto3
jar=$root/cli/target/downbeat-sqs.jar
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

# With two cores, client and stub get one each, so that they do not compete.
client='' server=''
if command -v taskset >/dev/null 2>&1 && [ "$(nproc)" -ge 2 ]; then
  client="taskset -c 0" server="taskset -c 1"
fi

mkfifo "$work/stdin"
$server "$java" -XX:+UseSerialGC "$root/jmh-benchmarks/scripts/SqsStub.java" <"$work/stdin" >"$work/stub.out" &
servers="$servers $!"
exec 3>"$work/stdin" # the stub ends when its stdin is closed
for _ in $(seq 100); do
  endpoint=$(head -n 1 "$work/stub.out") && [ -n "$endpoint" ] && break
  sleep 0.2
done
[ -n "${endpoint:-}" ] || { echo "the stub did not start" >&2; exit 1; }

send() { # transport, file: one run, whose result goes to the file
  case $1 in
  sdk-loop)
    # The same JVM flags as the launcher's.
    $client "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -cp "$jar" "$root/jmh-benchmarks/scripts/SqsLoop.java" \
      "$endpoint" "$clients" "$seconds" >"$2" 2>/dev/null
    return ;;
  boto3)
    $client "${PYTHON:-python3}" "$root/jmh-benchmarks/scripts/sqs-loop.py" "$endpoint" "$clients" "$seconds" >"$2"
    return ;;
  esac
  $client "$downbeat" run sqs:stub --endpoint "$endpoint" --region us-east-1 --data x --transport "$1" \
    --closed "$clients" -c "$clients" -d "${seconds}s" --accept-unsound --json -q >"$2" || [ $? -ge 98 ]
}

per_second() { awk -v n="$(value "$1" ledger answered)" -v d="$(value "$1" health wall_ns)" 'BEGIN { printf "%.0f\n", n / d * 1e9 }'; }
us_per_send() { awk -v n="$(value "$1" ledger answered)" -v c="$(value "$1" health cpu_ns)" 'BEGIN { printf "%.1f\n", c / n / 1000 }'; }

for round in $(seq "$rounds"); do
  for transport in "$@"; do
    file=$work/$transport.$round.json
    send "$transport" "$file"
    per_second "$file" >>"$work/$transport.rate"
    us_per_send "$file" >>"$work/$transport.cpu"
    value "$file" service p99_ns >>"$work/$transport.p99"
  done
done

spread() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%s to %s", v[1], v[NR] }'; }
ratio() { paste "$work/downbeat.$1" "$work/netty.$1" | awk '{ print $1 / $2 }' | median | awk '{ printf "%.2f", $1 }'; }

echo "$rounds alternating rounds of $seconds s, $clients clients in a closed loop, message of 1 byte, no TLS;" \
  "client ${client:-not pinned}, stub ${server:-not pinned}; load average $(cut -d' ' -f1-3 /proc/loadavg)"
echo
echo "| transport | sends/s, median (range) | CPU us/send, median (range) | service p99, median |"
echo "|---|---:|---:|---:|"
for transport in "$@"; do
  echo "| $transport | $(median <"$work/$transport.rate") ($(spread "$work/$transport.rate"))" \
    "| $(median <"$work/$transport.cpu") ($(spread "$work/$transport.cpu"))" \
    "| $(us "$(median <"$work/$transport.p99")") |"
done
case " $* " in
*" downbeat "*" netty "*) echo "| downbeat / netty, median of the rounds | $(ratio rate) | $(ratio cpu) | $(ratio p99) |" ;;
esac
