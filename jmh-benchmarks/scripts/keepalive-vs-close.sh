#!/bin/sh
# What a new connection for each request costs, against connections that are kept: alternating runs at the same rate.
# usage: jmh-benchmarks/scripts/keepalive-vs-close.sh [RATE [ROUNDS [SECONDS]]]
. "$(dirname "$0")/lib.sh"
rate=${1:-500} rounds=${2:-5} seconds=${3:-5}
serve tcp --port 0
run_keep() { measure "$1" "$(url tcp)" -R "$rate" -d "${seconds}s" --arrivals constant; }
run_close() { measure "$1" "$(url tcp)" -R "$rate" -d "${seconds}s" --arrivals constant --no-keepalive; }
echo "keep-alive against close, $rate/s, $rounds alternating runs of $seconds s each, loopback"
alternate keep close "$rounds"
ratio=$(median <"$work/ratio")
connect=$(us "$(median <"$work/close.connect.p50_ns")")
awk -v r="$ratio" -v c="$connect" 'BEGIN {
  if (r > 1.1) printf "  finding: closing costs %.1f times the service time; the connect itself takes %s of it, on loopback,\n  where there is no round trip to wait for: on a network add one per connect, and one or two for TLS\n", r, c
  else if (r < 0.9) printf "  finding: closing was quicker here (%.2f times): look at the server before believing it\n", r
  else printf "  finding: no difference worth a name (%.2f times)\n", r
}'
