#!/bin/sh
# Records the result files of other tools for a service with a known freeze and compares 'downbeat audit' with the truth.
# Each tool on the PATH runs twice against its own server (20 ms, 8 connections, 6 s): calm, and frozen by SIGSTOP for 1.2 s.
# The freeze starts 2.5 s after the first connection, however long a tool needs to start. tools.sh installs the tools.
# usage: jmh-benchmarks/audit/record.sh FOLDER       (loopback only; about 15 s per tool)
# FOLDER gets the packed files and truth.csv, stdout the table. KEPT=1 only audits the files in FOLDER again.
# CASES=calm or CASES=freeze records one case, TOOLS='fortio artillery' only these tools; the other files stay.
# Needs a quiet machine: other load pauses the servers, and the audit finds these pauses too.
. "$(dirname "$0")/../scripts/lib.sh"
folder=${1:?a FOLDER is needed}
mkdir -p "$folder"
seconds=6
users=8
freeze=1.2
rate=300
"$downbeat" --version >/dev/null

now() { date +%s.%N; }

await_connection() { # name of the server
  port=$(url "$1" | grep -oE ':[0-9]+' | tr -d :)
  for _ in $(seq 600); do
    ! ss -Htn state established "( sport = :$port )" | grep -q . || return 0
    sleep 0.1
  done
}

# Runs a command against a new server, freezing it in the case 'freeze', and writes the length of the freeze to $work/frozen.
during() { # tool, case, command...
  tool=$1 case=$2
  shift 2
  serve "$tool" --port 0 --delay 20ms
  server=$!
  for pid in $servers; do server=$pid; done
  echo 0 >"$work/frozen"
  URL=$(url "$tool")
  export URL
  "$@" >"$work/out" 2>"$work/err" &
  client=$!
  if [ "$case" = freeze ]; then
    await_connection "$tool"
    sleep 2.5
    from=$(now)
    kill -STOP "$server"
    sleep "$freeze"
    kill -CONT "$server"
    echo "$(now) $from" | awk '{ printf "%.3f\n", $1 - $2 }' >"$work/frozen"
  fi
  wait "$client" || true
  kill "$server"
}

# Packs a tool's file and adds the true p99 for callers that arrive at any time to truth.csv.
keep() { # name, case, file, extension
  if [ ! -s "$3" ]; then
    echo "$1 wrote nothing: $(tail -n 1 "$work/err")" >&2
    return
  fi
  gzip -9n <"$3" >"$folder/$1-$2.$4.gz"
  touch "$folder/truth.csv"
  sed -i "/^$1-$2\.$4\.gz,/d" "$folder/truth.csv"
  awk -v name="$1-$2.$4.gz" -v frozen="$(cat "$work/frozen")" -v seconds=$seconds 'BEGIN {
    p99 = frozen == 0 ? 0 : frozen - 0.01 * seconds + 0.02
    printf "%s,%.3f,%.3f\n", name, frozen, p99 }' >>"$folder/truth.csv"
}

script_k6() {
  cat >"$work/k6.js" <<EOF
import http from 'k6/http';
export const options = { vus: $users, duration: '${seconds}s' };
export default function () { http.get('$(url k6)'); }
EOF
  exec k6 run -q --no-usage-report --out json="$work/k6.json" --out csv="$work/k6.csv" --summary-export "$work/k6-summary.json" "$work/k6.js"
}
attack() { echo "GET $URL" | vegeta attack -rate $rate/s -duration ${seconds}s >"$work/vegeta.gob"; }
attack_few() { echo "GET $URL" | vegeta attack -rate $rate/s -duration ${seconds}s -workers $users -max-workers $users >"$work/vegeta-few.gob"; }
run_ab() { ab -q -k -t $seconds -n 100000 -c $users -g "$work/ab.tsv" "$URL"; }
run_h2load() { rm -f "$work/h2load.log"; h2load --h1 -t1 -c$users -D $seconds --log-file="$work/h2load.log" "$URL"; }
run_hey() { hey -z ${seconds}s -c $users -o csv "$URL"; }
run_hey_text() { hey -z ${seconds}s -c $users "$URL"; }
run_oha() {
  rm -f "$work/oha.db"
  oha --no-tui -z ${seconds}s -c $users --db-url "$work/oha.db" --output-format json "$URL"
}

# The export that the audit recommends: sqlite3 -header -csv oha.db 'SELECT start,duration,status FROM oha'
export_oha() {
  python3 - "$work/oha.db" <<'EOF'
import csv, sqlite3, sys
rows = csv.writer(sys.stdout)
rows.writerow(["start", "duration", "status"])
rows.writerows(sqlite3.connect(sys.argv[1]).execute("SELECT start, duration, status FROM oha"))
EOF
}

run_autocannon() { autocannon -j -c $users -d $seconds "$URL"; }
run_fortio() { fortio load -quiet -qps 0 -c $users -t ${seconds}s -json "$work/fortio.json" "$URL"; }
run_locust() {
  cat >"$work/locustfile.py" <<EOF
from locust import HttpUser, task, constant
class Caller(HttpUser):
    wait_time = constant(0)
    @task
    def get(self):
        self.client.get("/")
EOF
  locust -f "$work/locustfile.py" --headless -u $users -r $users -t ${seconds}s --host "${URL%/}" --csv "$work/locust" --only-summary
}

run_jmeter() {
  cat >"$work/plan.jmx" <<EOF
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
<TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="plan"/><hashTree>
<ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="users">
  <intProp name="ThreadGroup.num_threads">$users</intProp><intProp name="ThreadGroup.ramp_time">0</intProp>
  <boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">$seconds</stringProp>
  <elementProp name="ThreadGroup.main_controller" elementType="LoopController" guiclass="LoopControlPanel" testclass="LoopController">
    <intProp name="LoopController.loops">-1</intProp></elementProp>
</ThreadGroup><hashTree>
<HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="get">
  <stringProp name="HTTPSampler.path">$URL</stringProp><stringProp name="HTTPSampler.method">GET</stringProp>
  <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
</HTTPSamplerProxy><hashTree/></hashTree></hashTree></hashTree></jmeterTestPlan>
EOF
  rm -f "$work/jmeter.jtl"
  jmeter -n -t "$work/plan.jmx" -l "$work/jmeter.jtl" -j "$work/jmeter.log" -Jjmeter.save.saveservice.output_format=csv
}

run_gatling() { # injection profile; writes $work/simulation.log
  cat >"$work/Recorded.java" <<EOF
import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;
import io.gatling.javaapi.core.*;
public class Recorded extends Simulation {
  {
    setUp($1).protocols(http.baseUrl("${URL%/}").shareConnections().disableWarmUp());
  }
}
EOF
  rm -rf "$work/gatling"
  gatling-text "$work/Recorded.java" "$work/gatling"
  mv "$work"/gatling/recorded-*/simulation.log "$work/simulation.log"
}
get='exec(http("get").get("/"))'
closed="scenario(\"users\").during($seconds).on($get).injectOpen(atOnceUsers($users))"
open="scenario(\"callers\").$get.injectOpen(constantUsersPerSec($rate).during($seconds))"

run_artillery() {
  cat >"$work/artillery.yml" <<EOF
config: { target: "${URL%/}", phases: [{ duration: $seconds, arrivalRate: $rate }] }
scenarios: [{ flow: [{ get: { url: "/" } }] }]
EOF
  ARTILLERY_DISABLE_TELEMETRY=true artillery run -q -o "$work/artillery.json" "$work/artillery.yml"
}

has() {
  case " ${TOOLS:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
  command -v "$1" >/dev/null || { echo "$1 is not on the PATH" >&2; return 1; }
}

if [ -z "${KEPT:-}" ]; then
  [ -n "${CASES:-}${TOOLS:-}" ] || rm -f "$folder/truth.csv"
  for case in ${CASES:-calm freeze}; do
    if has wrk; then during wrk $case sh -c "exec wrk --latency -t1 -c$users -d${seconds}s \$URL"; keep wrk $case "$work/out" txt; fi
    if has h2load; then during h2load $case run_h2load; keep h2load $case "$work/h2load.log" log; fi
    if has hey; then
      during hey $case run_hey; keep hey $case "$work/out" csv
      during hey-text $case run_hey_text; keep hey-text $case "$work/out" txt
    fi
    if has ab; then
      during ab $case run_ab; keep ab $case "$work/out" txt
      keep ab-g $case "$work/ab.tsv" tsv
    fi
    if has vegeta; then
      during vegeta $case attack; vegeta encode --to csv <"$work/vegeta.gob" >"$work/vegeta.csv"; keep vegeta $case "$work/vegeta.csv" csv
      during vegeta-few $case attack_few
      vegeta encode --to json <"$work/vegeta-few.gob" >"$work/vegeta-few.json"; keep vegeta-json $case "$work/vegeta-few.json" json
      vegeta encode --to csv <"$work/vegeta-few.gob" >"$work/vegeta-few.csv"; keep vegeta-csv $case "$work/vegeta-few.csv" csv
    fi
    if has k6; then
      during k6 $case script_k6
      grep -E '"http_req_duration"' "$work/k6.json" >"$work/k6-times.json" || true # leaves out the other metrics, nine tenths of the file
      grep -E '^(metric_name|http_req_duration)' "$work/k6.csv" >"$work/k6-times.csv" || true
      keep k6-json $case "$work/k6-times.json" json; keep k6-csv $case "$work/k6-times.csv" csv
      keep k6-summary $case "$work/k6-summary.json" json
    fi
    if has oha; then
      during oha $case run_oha; keep oha $case "$work/out" json
      export_oha >"$work/oha.csv"; keep oha-db $case "$work/oha.csv" csv
    fi
    if has jmeter; then
      during jmeter $case run_jmeter; keep jmeter $case "$work/jmeter.jtl" csv
    fi
    if has gatling-text; then
      during gatling-text $case run_gatling "$closed"; keep gatling-text $case "$work/simulation.log" log
      during gatling-text-open $case run_gatling "$open"; keep gatling-text-open $case "$work/simulation.log" log
    fi
    if has autocannon; then during autocannon $case run_autocannon; keep autocannon $case "$work/out" json; fi
    if has fortio; then during fortio $case run_fortio; keep fortio $case "$work/fortio.json" json; fi
    if has artillery; then during artillery $case run_artillery; keep artillery $case "$work/artillery.json" json; fi
    if has locust; then
      during locust $case run_locust
      keep locust $case "$work/locust_stats.csv" csv; keep locust-history $case "$work/locust_stats_history.csv" csv
    fi
  done
fi

echo "| file | printed p99, ms | at least, ms | at most, ms | truth, ms | audit says |"
echo "|---|---|---|---|---|---|"
while IFS=, read -r name _ truth; do
  "$downbeat" audit "$folder/$name" --json >"$work/audit.json" 2>"$work/err" || true
  python3 - "$work/audit.json" "$name" "$truth" <<'EOF' || echo "| $name | | | | $truth | $(cat "$work/err") |"
import json, sys
result = json.load(open(sys.argv[1]))["results"][0]
row = [r for r in result["percentiles"] if r["percentile"] == 99 and r["judged"]]
ms = lambda ns: "?" if ns is None else f"{ns / 1e6:,.1f}"
cells = [ms(row[0][k]) for k in ("printed_ns", "at_least_ns", "at_most_ns")] if row else ["none"] * 3
truth = float(sys.argv[3])
print("|", " | ".join([sys.argv[2], *cells, f"{truth * 1e3:,.0f}" if truth else "undisturbed", result["verdict"].replace("_", " ")]), "|")
EOF
done <"$folder/truth.csv"
