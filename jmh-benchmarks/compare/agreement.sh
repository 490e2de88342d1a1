#!/bin/sh
# Compares Downbeat's response times with those of a server that stamps its answers on the same clock.
# 1 connection, 1,000/s. Tolerance: 10 us + 5 %.
# usage: jmh-benchmarks/compare/agreement.sh [ROUNDS [SECONDS]]                                (5 rounds of 10 s)
. "$(dirname "$0")/../scripts/lib.sh"
here=$root/jmh-benchmarks/compare
rounds=${1:-5} seconds=${2:-10} rate=1000
cc -O2 -o "$work/stamper" "$here/stamper.c"
"$downbeat" --version >/dev/null
echo "agreement: 1 connection, constant $rate/s, $rounds rounds of $seconds s"
for round in $(seq "$rounds"); do
  rm -f "$work/port" # of the previous server
  "$work/stamper" -o "$work/stamps" >"$work/port" &
  stamper=$!
  servers=$stamper
  until grep -q port "$work/port" 2>/dev/null; do sleep 0.05; done
  measure "$work/run.json" "http://127.0.0.1:$(awk '{ print $2 }' "$work/port")/" -c 1 -R "$rate" -d "${seconds}s" \
    --arrivals constant --pacing spin
  kill "$stamper"
  wait "$stamper" || true
  servers=
  start=$(value "$work/run.json" started_monotonic_ns started_monotonic_ns)
  # Subtracts in the shell: awk's doubles would lose digits of the absolute times, but not of the differences.
  first=$(awk '$2 == "first_monotonic_ns" { print $3 }' "$work/stamps")
  zero=$((start - first))
  for key in p50 p99; do
    share=0.${key#p}
    seen=$(awk -v zero="$zero" -v rate="$rate" '$1 != "#" { printf "%d\n", $3 - zero - n++ * 1e9 / rate }' "$work/stamps" |
      sort -n | awk -v share="$share" '{ v[NR] = $1 } END { print v[int(NR * share + 0.999999)] }')
    reported=$(value "$work/run.json" response "${key}_ns")
    echo "$key $reported $seen" >>"$work/all"
    echo "  round $round    $key: reported $(us "$reported"), seen by the server $(us "$seen")"
  done
done
code=0
for key in p50 p99; do
  reported=$(awk -v key=$key '$1 == key { print $2 }' "$work/all" | median)
  seen=$(awk -v key=$key '$1 == key { print $3 }' "$work/all" | median)
  agree=$(awk -v a="$reported" -v b="$seen" 'BEGIN { d = a > b ? a - b : b - a; print d <= 10000 + 0.05 * b ? "agrees" : "DISAGREES" }')
  [ "$agree" = agrees ] || code=1
  echo "  medians    $key: reported $(us "$reported"), seen by the server $(us "$seen"): $agree"
done
exit $code
