#!/bin/sh
# A long run on loopback: intended times must not drift, memory must stay flat, and the ledger must be exact.
# usage: jmh-benchmarks/scripts/soak.sh [RATE [MINUTES [PACING]]]        (5,000/s for 30 minutes, pacing auto)
. "$(dirname "$0")/lib.sh"
rate=${1:-5000} minutes=${2:-30} pacing=${3:-auto}
serve tcp --port 0
echo "soak: constant $rate/s for $minutes minutes"
"$downbeat" run "$(url tcp)" -R "$rate" -d "${minutes}m" --arrivals constant --pacing "$pacing" --json -q >"$work/soak.json" 2>"$work/soak.err" &
run=$!
servers="$servers $run"
: >"$work/rss"
while kill -0 "$run" 2>/dev/null; do
  awk '/VmRSS/ { print $2 }' "/proc/$run/status" >>"$work/rss" 2>/dev/null || true
  sleep 10
done
code=0
wait "$run" || code=$?
planned=$(value "$work/soak.json" ledger planned)
expected=$((rate * minutes * 60))
echo "  exit code      $code"
echo "  ledger         planned $planned, expected $expected, adds up: $(value "$work/soak.json" ledger adds_up)"
echo "  answered       $(value "$work/soak.json" ledger answered)"
echo "  lateness       p50 $(us "$(value "$work/soak.json" lateness p50_ns)"), p99 $(us "$(value "$work/soak.json" lateness p99_ns)"), max $(us "$(value "$work/soak.json" lateness max_ns)")"
awk '{ v[NR] = $1 } END {
  tenth = int(NR / 10) + 1
  for (i = tenth + 1; i <= 2 * tenth && i <= NR; i++) { early += v[i]; e++ }
  for (i = NR - tenth + 1; i <= NR; i++) { late += v[i]; l++ }
  if (e && l) printf "  memory         %.1f MB early (second tenth), %.1f MB at the end (last tenth)\n", early / e / 1024, late / l / 1024
}' "$work/rss"
[ "$planned" = "$expected" ] && [ "$(value "$work/soak.json" ledger adds_up)" = true ]
