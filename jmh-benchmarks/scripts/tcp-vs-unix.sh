#!/bin/sh
# Compares TCP on loopback with a Unix socket: the same server and rate, alternating runs.
# usage: jmh-benchmarks/scripts/tcp-vs-unix.sh [RATE [ROUNDS [SECONDS]]]
. "$(dirname "$0")/lib.sh"
rate=${1:-2000} rounds=${2:-5} seconds=${3:-5}
serve tcp --port 0
serve unix --unix "$work/socket"
run_tcp() { measure "$1" "$(url tcp)" -R "$rate" -d "${seconds}s" --arrivals constant; }
run_unix() { measure "$1" "$(url unix)" -R "$rate" -d "${seconds}s" --arrivals constant; }
echo "TCP versus a Unix socket, $rate/s, $rounds alternating runs of $seconds s each"
alternate tcp unix "$rounds"
awk -v r="$(median <"$work/ratio")" 'BEGIN {
  if (r < 0.9) printf "  finding: a request over the Unix socket takes %.2f times as long as over TCP on loopback\n", r
  else if (r > 1.1) printf "  finding: the Unix socket is slower here (%.2f times TCP)\n", r
  else printf "  finding: no relevant difference (%.2f times)\n", r
}'
