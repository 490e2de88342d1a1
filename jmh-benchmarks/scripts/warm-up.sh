#!/bin/sh
# Measures the effect of the self-warm-up on the first second of a run: alternating runs with and without it.
# The service is already warm, so only Downbeat's JVM differs.
# usage: jmh-benchmarks/scripts/warm-up.sh [ROUNDS [RATE]]        (5 rounds at 5,000/s)
. "$(dirname "$0")/lib.sh"
rounds=${1:-5} rate=${2:-5000}
serve tcp --port 0
echo "self-warm-up: constant $rate/s for 3 s, $rounds alternating rounds"
measure "$work/first.json" "$(url tcp)" -R "$rate" -d 2s --arrivals constant # warms up the service
first() { # file, key: prints the value of the first interval
  awk -v key="\"$2\":" '
    /"intervals":/ { inside = 1 }
    inside && (at = index($0, key)) { rest = substr($0, at + length(key)); sub(/^ */, "", rest); sub(/[,} ].*/, "", rest); print rest; exit }
  ' "$1"
}
for round in $(seq "$rounds"); do
  for side in with without; do
    export DOWNBEAT_JAVA_OPTS=
    [ $side = with ] || DOWNBEAT_JAVA_OPTS=-Ddownbeat.selfWarmUp=false
    measure "$work/run.json" "$(url tcp)" -R "$rate" -d 3s --arrivals constant
    first "$work/run.json" p99_ns >>"$work/$side.first"
    first "$work/run.json" max_ns >>"$work/$side.max"
    value "$work/run.json" lateness p99_ns >>"$work/$side.late"
  done
done
for side in with without; do
  printf '  %-8s first second: response p99 %10s, max %10s; lateness of the run p99 %10s   (medians)\n' "$side" \
    "$(us "$(median <"$work/$side.first")")" "$(us "$(median <"$work/$side.max")")" "$(us "$(median <"$work/$side.late")")"
done
