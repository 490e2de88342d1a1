#!/bin/sh
# Compares a new connection per request with kept connections: alternating runs at the same rate.
# usage: jmh-benchmarks/scripts/keepalive-vs-close.sh [RATE [ROUNDS [SECONDS]]]
. "$(dirname "$0")/lib.sh"
rate=${1:-500} rounds=${2:-5} seconds=${3:-5}
serve tcp --port 0
run_keep() { measure "$1" "$(url tcp)" -R "$rate" -d "${seconds}s" --arrivals constant; }
run_close() { measure "$1" "$(url tcp)" -R "$rate" -d "${seconds}s" --arrivals constant --no-keepalive; }
echo "keep-alive versus close, $rate/s, $rounds alternating runs of $seconds s each, loopback"
alternate keep close "$rounds"
ratio=$(median <"$work/ratio")
connect=$(us "$(median <"$work/close.connect.p50_ns")")
awk -v r="$ratio" -v c="$connect" 'BEGIN {
  if (r > 1.1) printf "  finding: with close, the service time is %.1f times as long; the connect takes %s of it on loopback.\n  On a network, add a round trip per connect, and one or two for TLS.\n", r, c
  else if (r < 0.9) printf "  finding: close was faster here (%.2f times): check the server before believing it\n", r
  else printf "  finding: no relevant difference (%.2f times)\n", r
}'
