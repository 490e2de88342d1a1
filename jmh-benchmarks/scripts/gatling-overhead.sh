#!/bin/bash
# What the correction costs a Gatling simulation: the same simulation, plain and corrected, in alternating runs at 2,000
# requests a second over shared connections. The server stamps each request by the kernel's receive time, so the instrument
# knows nothing of either.
# usage: jmh-benchmarks/scripts/gatling-overhead.sh [ROUNDS [SECONDS]]
. "$(dirname "$0")/lib.sh"
rounds=${1:-3} seconds=${2:-45} rate=2000
last=$((seconds / 3))
prefix='dev.downbeat.gatling.Simulations$'
cd "$root"
if [ ! -s gatling-plugin/target/test-classpath ] || [ -n "${BUILD:-}" ]; then
  mvn -B -q -pl gatling-plugin -am -Dspotless.check.skip test-compile \
    dependency:build-classpath -Dmdep.includeScope=test -Dmdep.outputFile=target/test-classpath >&2
fi
[ -z "${BUILD_ONLY:-}" ] || exit 0
classpath="gatling-plugin/target/test-classes:gatling-plugin/target/classes:$(cat gatling-plugin/target/test-classpath)"
cc -O2 -o "$work/stamper" jmh-benchmarks/compare/stamper.c

# spent PID : processor time of a process so far, in ns: of its compilers, and of its other threads
spent() {
  for task in "/proc/$1/task"/*; do
    printf '%s;%s\n' "$(cat "$task/comm")" "$(cat "$task/schedstat")"
  done 2>/dev/null | awk -F'[; ]' '{ if (/Compiler/) compilers += $(NF - 2); else others += $(NF - 2) } END { printf "%.0f %.0f\n", compilers, others }'
}

# run NAME SIMULATION : one run; appends throughput, lateness and processor time to the lists of that name
run() {
  : >"$work/port" >"$work/out"
  "$work/stamper" -p 0 -o "$work/stamps" >"$work/port" &
  server=$!
  servers="$servers $server"
  until grep -q '^port' "$work/port"; do sleep 0.05; done
  TIMEFORMAT='%U %S'
  { time {
    java --add-opens=java.base/java.lang=ALL-UNNAMED -Ddownbeat.exitCode=none \
      -Dtest.url="http://127.0.0.1:$(awk '{ print $2 }' "$work/port")" -Dtest.rate=$rate -Dtest.seconds="$seconds" \
      -cp "$classpath" io.gatling.app.Gatling -s "$prefix$2" -rf "$work/results.$1" -nr >"$work/out" 2>&1 &
    jvm=$!
    until grep -q 'started\.\.\.' "$work/out"; do sleep 0.05; done
    sleep "$((seconds - last - 1))"
    spent $jvm >"$work/spent"
    sleep "$last"
    spent $jvm >>"$work/spent"
    wait $jvm
  }; } 2>"$work/cpu" || { cat "$work/out" >&2; exit 1; }
  awk -v each=$((rate * last)) 'NR == 1 { compilers = $1; others = $2 } END { print ($2 - others) / 1000 / each > "/dev/stderr"; print ($1 - compilers) / 1000 / each }' \
    "$work/spent" >>"$work/$1.compilers" 2>>"$work/$1.steady"
  kill "$server"
  wait "$server" 2>/dev/null || true
  # A third of the run is the JVM's warm-up. A request's place in the plan is its number; the least late is the origin.
  grep -v '^#' "$work/stamps" | awk -v rate=$rate -v seconds="$seconds" '
    { at[NR] = $1 }
    END {
      from = int(NR / 3)
      for (i = from + 1; i <= NR; i++) { late[i] = at[i] - (i - 1) * 1e9 / rate; if (i == from + 1 || late[i] < origin) origin = late[i] }
      for (i = from + 1; i <= NR; i++) print (late[i] - origin) / 1000 > "/dev/stderr"
      print NR, (NR - from - 1) * 1e9 / (at[NR] - at[from + 1])
    }' 2>"$work/late" >"$work/rate"
  awk '{ print $1 }' "$work/rate" >>"$work/$1.requests"
  grep '> Global' "$work/out" | tail -n 1 | awk -F'|' '{ gsub(/[ ,-]/, "", $NF); print $NF + 0 }' >>"$work/$1.failed"
  awk '{ print $2 }' "$work/rate" >>"$work/$1.throughput"
  sort -n "$work/late" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int(NR * 0.99)] }' >"$work/quantiles"
  awk '{ print $1 }' "$work/quantiles" >>"$work/$1.late50"
  awk '{ print $2 }' "$work/quantiles" >>"$work/$1.late99"
  awk -v n="$(awk '{ print $1 }' "$work/rate")" '{ print ($1 + $2) * 1e6 / n }' "$work/cpu" >>"$work/$1.cpu"
  # What does not grow with the requests: the whole, less what each of them takes once the JVM is warm.
  paste "$work/$1.cpu" "$work/$1.steady" "$work/$1.requests" | tail -n 1 | awk '{ print ($1 - $2) * $3 / 1000 }' >>"$work/$1.rest"
}

for round in $(seq "$rounds"); do
  run plain SharedPlain
  run corrected Shared
done

row() {
  paste "$work/corrected.$2" "$work/plain.$2" | awk '{ print $2 == 0 ? 1 : $1 / $2 }' >"$work/ratios"
  printf '| %s | %.1f | %.1f | %.3f | %s |\n' "$1" "$(median <"$work/plain.$2")" "$(median <"$work/corrected.$2")" \
    "$(median <"$work/ratios")" "$(awk '{ printf "%.3f ", $1 }' "$work/ratios")"
}
echo "Gatling at $rate/s, $rounds alternating rounds of $seconds s, the last two thirds of each; medians"
echo
echo '| | plain | corrected | ratio, median of the rounds | each round |'
echo '|---|---:|---:|---:|---|'
row 'requests' requests
row 'throughput, 1/s' throughput
row 'lateness of arrivals p50, µs' late50
row 'lateness of arrivals p99, µs' late99
row 'processor time for a request, in the last third, without the compilers, µs' steady
row 'of the compilers, in the last third, µs a request' compilers
row 'of the whole JVM, compilers, start and report included, µs a request' cpu
row 'what does not grow with the requests: start, warm-up, report, ms' rest
echo
for side in plain corrected; do
  echo "failed requests of each $side run, by Gatling's own count: $(tr '\n' ' ' <"$work/$side.failed")"
done
