#!/bin/sh
# Prints the p99 of several tools for the same stall: a service of 2 ms that stalls for 2 s of 10 s, 500 requests/s.
# First come tools with a schedule, each in the mode its documentation recommends for that; then closed loops, each tool's default.
# The last line is the truth: the p99 of independent callers. Skips missing tools; jmh-benchmarks/audit/tools.sh installs them.
# usage: jmh-benchmarks/scripts/others.sh                                      (loopback only; about 15 s per tool)
. "$(dirname "$0")/lib.sh"
connections=16
"$downbeat" --version >/dev/null

# The stall begins 4 s after the first request, so each tool gets its own server.
fresh() { serve "$1" --port 0 --delay 2ms --stall 2s@4s; }

row() { printf '| %-23s | %-55s | %10s |\n' "$1" "$2" "$3"; }

# Reads durations in microseconds, one per line.
p99_of() { sort -n | awk '{ v[NR] = $1 } END { n = int(NR * 0.99 + 0.999999); printf "%.1f ms", v[n] / 1000 }'; }

# A fifth of the callers arrive during the stall and wait for the rest of it. 1 % of all is a twentieth of these, hence 0.95 * 2 s.
truth=1.90

row 'with a schedule' command 'its p99'
row --- --- ---
fresh downbeat
"$downbeat" run "$(url downbeat)" -R 500 -d 10s -c $connections --json -q >"$work/downbeat.json" || [ $? -ge 98 ]
row downbeat "downbeat run URL -R 500 -d 10s -c $connections" \
  "$(awk -v n="$(value "$work/downbeat.json" response p99_ns)" 'BEGIN { printf "%.2f s", n / 1e9 }')"
if command -v wrk2 >/dev/null; then
  fresh wrk2
  p99=$(wrk2 --latency -t1 -c$connections -d10s -R500 "$(url wrk2)" | awk '$1 == "99.000%" { print $2 }')
  row wrk2 "wrk2 --latency -t1 -c$connections -d10s -R500 URL" "$p99"
fi
if command -v k6 >/dev/null; then
  fresh k6-rate
  cat >"$work/rate.js" <<JS
import http from "k6/http";
export const options = { scenarios: { load: {
  executor: "constant-arrival-rate", rate: 500, timeUnit: "1s", duration: "10s", preAllocatedVUs: 1200 } } };
export default function () { http.get("$(url k6-rate)"); }
JS
  p99=$(k6 run --quiet --no-usage-report --summary-trend-stats 'p(99)' "$work/rate.js" 2>/dev/null \
    | sed -n 's/.*http_req_duration.*p(99)=\([0-9.]*\)\([a-zµ]*\).*/\1 \2/p' | head -n 1)
  row "$(k6 version | awk '{ print $1, $2 }')" 'k6 run rate.js (constant-arrival-rate)' "$p99"
fi
if command -v oha >/dev/null; then
  fresh oha-rate
  row "$(oha --version)" "oha -z 10s -c $connections -q 500 --latency-correction URL" \
    "$(oha --no-tui -z 10s -c $connections -q 500 --latency-correction "$(url oha-rate)" | awk '$1 == "99.00%" { print $2, $3, $4 }' | sed 's/^in //')"
fi
if command -v vegeta >/dev/null; then
  fresh vegeta
  p99=$(echo "GET $(url vegeta)" | vegeta attack -rate 500/s -duration 10s | vegeta report | awk '/^Latencies/ { print $(NF - 1) }' | tr -d ,)
  row vegeta 'vegeta attack -rate 500/s -duration 10s' "$p99"
fi

row 'closed loop (default)' command 'its p99'
if command -v wrk >/dev/null; then
  fresh wrk
  p99=$(wrk --latency -t1 -c$connections -d10s "$(url wrk)" | awk '$1 == "99%" { print $2 }')
  row "$(wrk -v 2>&1 | awk 'NR == 1 { print $1, $2 }' | cut -c1-22)" "wrk --latency -t1 -c$connections -d10s URL" "$p99"
fi
if command -v h2load >/dev/null; then
  fresh h2load
  h2load --h1 -t1 -c$connections -D 10 --log-file="$work/h2load.log" "$(url h2load)" >/dev/null
  # start time, status, duration in microseconds
  row "$(h2load --version | head -n 1)" "h2load --h1 -t1 -c$connections -D 10 URL" "$(awk '{ print $3 }' "$work/h2load.log" | p99_of)"
fi
if command -v hey >/dev/null; then
  fresh hey
  p99=$(hey -z 10s -c $connections "$(url hey)" | awk '$1 == "99%" || $1 == "99%%" { printf "%.1f ms", $3 * 1000 }')
  row hey "hey -z 10s -c $connections URL" "$p99"
fi
if command -v oha >/dev/null; then
  fresh oha
  row "$(oha --version)" "oha -z 10s -c $connections URL" "$(oha --no-tui -z 10s -c $connections "$(url oha)" | awk '$1 == "99.00%" { print $3, $4 }')"
fi
if command -v ab >/dev/null; then
  fresh ab
  row "ab $(ab -V | awk 'NR == 1 { print $5 }')" "ab -k -t 10 -n 1000000 -c $connections URL" \
    "$(ab -q -k -t 10 -n 1000000 -c $connections "$(url ab)" 2>/dev/null | awk '$1 == "99%" { print $2, "ms" }')"
fi
if command -v k6 >/dev/null; then
  fresh k6
  printf 'import http from "k6/http";\nexport default function () { http.get("%s"); }\n' "$(url k6)" >"$work/k6.js"
  p99=$(k6 run --quiet --no-usage-report --summary-trend-stats 'p(99)' --vus $connections --duration 10s "$work/k6.js" 2>/dev/null \
    | sed -n 's/.*http_req_duration.*p(99)=\([0-9.]*\)\([a-zµ]*\).*/\1 \2/p' | head -n 1)
  row "$(k6 version | awk '{ print $1, $2 }')" "k6 run --vus $connections --duration 10s script.js" "$p99"
fi
echo "truth, the p99 of independent callers: $truth s"
