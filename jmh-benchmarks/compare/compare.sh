#!/bin/sh
# Compares Downbeat with other load tools on the same server, in alternating runs, and writes a Markdown table.
# README.md in this folder explains the columns. Needs Linux, a C compiler and awk. Loopback only.
set -eu

usage() {
  cat <<'TEXT'
compare.sh [OPTION...]
  --rounds N        alternating rounds (default 5)
  --seconds N       length of a run (default 5)
  --quick           one round of 2 s runs, to test the script rather than the tools
  --only TOOL,...   only these tools, plus wrk and lean as the bases of the ratios
  --parts PART,...  of closed,shapes,sustained,pacing,freeze,cold (default all)
  --shapes SHAPE,.. for the part shapes, only these: differing-heads, body-16KiB, body-1MiB, unix-socket, connections-1,
                    connections-1000, connections-10000, tls-300B, tls-16KiB, tls-1MiB, http2-tls (8 streams on each of 8
                    connections), tls-10000 (default all)
  --disturbed N     percent of the machine that other processes may use, or the hypervisor steal, in a run (default 1);
                    a run above it is attempted three times at most and then discarded
  --freeze-rounds N rounds with the Ctrl-Z test, which takes half a minute per tool (default 1)
  --client-core N   core of the clients (default 0); --server-core N of the servers (default 1)
  --out DIR         folder for the results (default target/results next to this script)
DOWNBEAT=... sets the downbeat command; the other tools must be on the PATH.
TEXT
}

here=$(cd "$(dirname "$0")" && pwd -P)
downbeat=${DOWNBEAT:-$here/../../downbeat}
rounds=5 seconds=5 only='' shapes='' parts=closed,shapes,sustained,pacing,freeze,cold freeze_rounds=1 disturbed=1
client_core=0 server_core=1 out=$here/target/results
freeze_seconds=20 freeze_at=12 freeze_length=5

die() { printf 'compare: %s\n' "$1" >&2; exit 2; }
say() { printf 'compare: %s\n' "$1" >&2; }
count() {
  case $2 in '' | *[!0-9]*) die "$1 must be a whole number, but was '$2'" ;; esac
  [ "$2" -ge "$3" ] || die "$1 must be at least $3, but was $2"
}

while [ $# -gt 0 ]; do
  case $1 in
    --quick) rounds=1 seconds=2; shift; continue ;;
    -h | --help) usage; exit 0 ;;
    --rounds | --seconds | --only | --parts | --shapes | --freeze-rounds | --disturbed | --client-core | --server-core | --out) ;;
    *) usage >&2; die "unknown option $1" ;;
  esac
  [ $# -ge 2 ] || die "$1 needs a value"
  case $1 in
    --rounds) count "$1" "$2" 1; rounds=$2 ;;
    --seconds) count "$1" "$2" 2; seconds=$2 ;;
    --only) only=$2 ;;
    --parts) parts=$2 ;;
    --shapes) shapes=$2 ;;
    --freeze-rounds) count "$1" "$2" 0; freeze_rounds=$2 ;;
    --disturbed) count "$1" "$2" 1; disturbed=$2 ;;
    --client-core) count "$1" "$2" 0; client_core=$2 ;;
    --server-core) count "$1" "$2" 0; server_core=$2 ;;
    --out) out=$2 ;;
  esac
  shift 2
done

[ "$(uname -s)" = Linux ] || die "needs Linux, for its time stamps and pinning"
has() { command -v "$1" >/dev/null 2>&1; }
within() { case ",$1," in *",$2,"*) return 0 ;; esac; return 1; }
compiler=$(command -v cc || command -v gcc) || die "needs a C compiler: neither cc nor gcc was found"
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
bin=$here/target/bin
mkdir -p "$bin"
for source in meter stamper lean; do "$compiler" -O2 -o "$bin/$source" "$here/$source.c"; done
for core in "$client_core" "$server_core"; do
  "$bin/meter" -c "$core" -x true || die "core $core cannot be used; the comparison needs two (--client-core, --server-core)"
done

# ---- clean-up ----

work=$(mktemp -d)
chmod 711 "$work" # nginx's worker runs as another user
server=''
running=''
stop_server() {
  [ -n "$server" ] || return 0
  kill -CONT "$server" 2>/dev/null || true
  kill -TERM "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=''
}
clean_up() {
  trap - EXIT INT TERM HUP
  if [ -n "$running" ]; then
    kill -TERM "$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
  stop_server
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ---- servers ----

await_server() {
  tries=0
  until "$bin/lean" -p "$port" -c 1 -d 0.01 >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || die "the server did not answer on port $port within 10 s"
    sleep 0.1
  done
}

certificate=''
if has openssl && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/key.pem" \
  -out "$work/certificate.pem" -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 >"$work/openssl" 2>&1; then
  certificate=$work/certificate.pem
fi

start_nginx() {
  port=$("$bin/stamper" -q | awk '{ print $2 }')
  mkdir -p "$work/nginx/tmp" "$work/nginx/files"
  for size in 300 16384 1048576; do head -c "$size" /dev/zero | tr '\0' x >"$work/nginx/files/$size"; done
  encrypted=''
  if [ -n "$certificate" ]; then
    tls_port=$("$bin/stamper" -q | awk '{ print $2 }')
    http2_port=$("$bin/stamper" -q | awk '{ print $2 }')
    encrypted="    listen 127.0.0.1:$tls_port ssl backlog=4096; listen 127.0.0.1:$http2_port ssl http2; ssl_certificate $certificate; ssl_certificate_key $work/key.pem;"
  fi
  cat >"$work/nginx/nginx.conf" <<CONF
daemon off;
worker_processes 1;
pid $work/nginx/nginx.pid;
error_log $work/nginx/error.log crit;
worker_rlimit_nofile 20000;
events { worker_connections 11000; }
http {
  access_log off;
  keepalive_requests 2000000000;
  keepalive_timeout 600s;
  client_body_temp_path $work/nginx/tmp;
  proxy_temp_path $work/nginx/tmp;
  fastcgi_temp_path $work/nginx/tmp;
  uwsgi_temp_path $work/nginx/tmp;
  scgi_temp_path $work/nginx/tmp;
  default_type text/plain;
  open_file_cache max=10;
  server {
    listen 127.0.0.1:$port backlog=4096;
    listen unix:$work/nginx/socket;
$encrypted
    root $work/nginx/files;
    location = / { return 200 "hello"; }
    location = /differ { add_header X-Request-Id \$request_id; return 200 "hello"; }
  }
}
CONF
  # -e: the default error log may not be writable.
  "$bin/meter" -c "$server_core" -x nginx -p "$work/nginx" -e "$work/nginx/error.log" -c "$work/nginx/nginx.conf" \
    >"$work/nginx.out" 2>&1 &
  server=$!
  await_server
}

start_stamper() { # file, further options
  file=$1
  shift
  rm -f "$work/port" # of the previous server
  "$bin/meter" -c "$server_core" -x "$bin/stamper" -o "$file" "$@" >"$work/port" &
  server=$!
  tries=0
  until grep -q port "$work/port" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || die "the stamper did not start within 10 s"
    sleep 0.05
  done
  port=$(awk '{ print $2 }' "$work/port")
}

start_fast_server() {
  if has nginx; then start_nginx; else start_stamper /dev/null -n 1; fi
}

# ---- tools: each has a command line and a parser that sets $requests, $per_second and $p99_us ----

nginx_path=$(command -v nginx || echo '')
[ -n "$nginx_path" ] || PATH=$PATH:/usr/sbin:/sbin
"$downbeat" --version >"$work/downbeat.version" 2>"$work/downbeat.err" || {
  cat "$work/downbeat.err" >&2
  die "'$downbeat --version' does not run"
}
pacing_option=''
if "$downbeat" help run 2>/dev/null | grep -q -e '--pacing'; then pacing_option=yes; fi
tls_option=''
if "$downbeat" run http://127.0.0.1:1/ --tls-engine boringssl -n 1 -q 2>&1 | grep -q 'https://'; then tls_option=yes; fi

version_of() { # tool
  case $1 in
    wrk) wrk -v 2>&1 | head -n 1 | sed 's/ Copyright.*//' ;;
    lean) echo "lean.c of this folder, $("$compiler" --version | head -n 1) -O2" ;;
    downbeat) head -n 1 "$work/downbeat.version" ;;
    wrk2) echo "wrk2, which reports itself as $(wrk2 -v 2>&1 | head -n 1 | sed 's/ Copyright.*//')" ;;
    vegeta)
      v=$(vegeta -version 2>&1 | awk '$1 == "Version:" { print $2 }')
      echo "vegeta ${v:-$(go_version vegeta)}"
      ;;
    k6) k6 version 2>&1 | head -n 1 ;;
    oha) oha --version 2>&1 | head -n 1 ;;
    fortio) echo "fortio $(fortio version 2>/dev/null | tail -n 1)" ;;
    hey) echo "hey $(go_version hey)" ;;
    h2load) h2load --version 2>&1 | head -n 1 ;;
  esac
}
# For Go programs without a version option: 'go version' reads it from the binary.
go_version() {
  v=''
  if has go; then v=$(go version -m "$(command -v "$1")" 2>/dev/null | awk '$1 == "mod" { print $3 }'); fi
  echo "${v:-of unknown version}"
}

known='wrk lean downbeat wrk2 vegeta k6 oha fortio hey h2load'
present=''
missing=''
for tool in $known; do
  case $tool in lean | downbeat) installed=yes ;; *) if has "$tool"; then installed=yes; else installed=no; fi ;; esac
  if [ -n "$only" ] && ! within "$only,wrk,lean" "$tool"; then continue; fi
  if [ $installed = yes ]; then present="$present $tool"; else missing="$missing $tool"; fi
done

rows() { # part: prints its rows; a tool may have several variants
  for tool in $present; do
    case $1:$tool in
      closed:*) echo "$tool" ;;
      shape:downbeat)
        echo downbeat
        if [ -n "$tls_option" ]; then echo downbeat-boringssl; fi
        ;;
      shape:*) echo "$tool" ;;
      *:wrk) if [ "$1" = freeze ]; then echo wrk; fi ;;
      sustained:lean | freeze:lean) echo lean ;;
      sustained:*) echo "$tool" ;;
      pacing*:lean) printf 'lean-spin\nlean-block\n' ;;
      pacing*:downbeat)
        echo downbeat
        if [ -n "$pacing_option" ]; then printf 'downbeat-spin\ndownbeat-block\n'; fi
        ;;
      freeze:oha) printf 'oha\noha-corrected\n' ;;
      *) echo "$tool" ;;
    esac
  done
}

# Rotates the rows by round, so that no tool always runs first.
rotated_rows() { # part, round
  rows "$1" | awk -v by="$2" '{ row[NR - 1] = $0 } END { for (i = 0; i < NR; i++) print row[(i + by - 1) % NR] }'
}

# Runs a command under the meter.
metered() { # pinned or free, limit in seconds, command...
  pin=$1
  limit=$2
  shift 2
  if [ "$pin" = pinned ]; then set -- -c "$client_core" -t "$limit" -w "$window" -s "${server:-0}" -o "$work/cost" "$@"
  else set -- -t "$limit" -s "${server:-0}" -o "$work/cost" "$@"; fi
  rm -f "$work/cost"
  "$bin/meter" "$@" >"$work/out" 2>"$work/err" </dev/null &
  running=$!
  status=0
  wait "$running" || status=$?
  running=''
  # Keeps the output, so that every figure can be checked.
  cp "$work/out" "$out/runs/$round-$part-$row.out" && cat "$work/err" >>"$out/runs/$round-$part-$row.out"
  [ -s "$work/cost" ] || return 1
  cpu=$(awk '{ printf "%.6f", $1 + $2 }' "$work/cost")
  peak_mib=$(awk '{ printf "%.1f", $3 / 1024 }' "$work/cost")
  wall=$(awk '{ print $4 }' "$work/cost")
  steal=$(awk '{ print $6 }' "$work/cost")
  foreign=$(awk '{ print $7 }' "$work/cost")
  steady=$(awk '{ print $8 }' "$work/cost")
  printf '%s\t%s\t%s\t%s\t%s\n' "$round" "$part" "$row" "$steal" "$foreign" >>"$out/disturbances.tsv"
  return $status
}
is_disturbed() { awk -v s="$steal" -v f="$foreign" -v most="$disturbed" 'BEGIN { exit !(s > most || f > most) }'; }

# The meter's window is the second half of a run, at least 1 s.
window=$(awk -v s="$seconds" 'BEGIN { print (s > 2 ? s / 2 : 1) }')
divide() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6g", a / b }'; }

# $before runs before each attempt, because a server that keeps stamps or freezes once cannot serve a second one.
before=:
run_tool() { # tool, pinned or free, seconds, connections, rate (0: closed loop at full speed)
  attempts=0
  while :; do
    $before
    run_tool_once "$@" || return 1
    is_disturbed || return 0
    attempts=$((attempts + 1))
    say "  disturbed: $steal % stolen, $foreign % used by other processes"
    if [ $attempts -ge 3 ]; then status=disturbed; return 1; fi
  done
}
path=/ scheme=http
run_tool_once() {
  tool=$1 pin=$2 length=$3 size=$4 rate=$5
  case $scheme in
    https) url=https://127.0.0.1:$tls_port$path ;;
    http2) url=https://127.0.0.1:$http2_port$path ;;
    unix) url=unix:$work/nginx/socket:$path ;;
    *) url=http://127.0.0.1:$port$path ;;
  esac
  streams=1
  if [ "$scheme" = http2 ]; then streams=8; fi
  limit=$((length + 45))
  each=$(divide "$rate" "$size")
  rm -f "$work/json" "$work/log"
  set --
  case $tool in
    wrk) set -- wrk -t1 -c"$size" -d"${length}s" --latency "$url" ;;
    wrk2)
      # wrk2 has no closed loop: an unreachable rate keeps every connection busy.
      if [ "$rate" = 0 ]; then rate=10000000; fi
      set -- wrk2 -t1 -c"$size" -d"${length}s" -R"$rate" --latency "$url"
      ;;
    lean | lean-*)
      set -- "$bin/lean" -p "$port" -c "$size" -d "$length"
      if [ "$rate" != 0 ]; then
        if [ "$tool" = lean-block ]; then set -- "$@" -R "$rate" -w block; else set -- "$@" -R "$rate" -w spin; fi
      fi
      ;;
    downbeat | downbeat-*)
      set -- "$downbeat" run "$url" -c "$size" -d "${length}s" --json -q
      if [ "$rate" = 0 ]; then set -- "$@" --closed $((size * streams)); else set -- "$@" -R "$rate" --arrivals constant; fi
      case $tool in downbeat-boringssl) set -- "$@" --tls-engine boringssl ;; downbeat-*) set -- "$@" --pacing "${tool#downbeat-}" ;; esac
      case $scheme in https | http2) set -- "$@" --cacert "$certificate" ;; esac
      if [ "$scheme" = http2 ]; then set -- "$@" --http 2; fi
      ;;
    vegeta)
      echo "GET $url" >"$work/vegeta.targets"
      set -- vegeta attack -targets "$work/vegeta.targets" -output "$work/log" -duration "${length}s" -workers "$size" \
        -connections "$size" -max-connections "$size"
      if [ "$rate" = 0 ]; then set -- "$@" -rate 0 -max-workers "$size"; else set -- "$@" -rate "$rate/1s"; fi
      ;;
    k6)
      k6_script >"$work/k6.js"
      set -- k6 run -q --no-usage-report --summary-trend-stats 'p(99)' --summary-export "$work/json" "$work/k6.js"
      ;;
    oha | oha-*)
      set -- oha --no-tui -c "$size" -z "${length}s" --output-format json
      if [ "$rate" != 0 ]; then set -- "$@" -q "$rate"; fi
      if [ "$scheme" = https ]; then set -- "$@" --insecure; fi
      if [ "$tool" = oha-corrected ]; then set -- "$@" --latency-correction; fi
      set -- "$@" "$url"
      ;;
    fortio)
      set -- fortio load -qps "$rate" -c "$size" -t "${length}s" -r 0.0001 -quiet -json "$work/json" "$url"
      ;;
    hey)
      set -- hey -c "$size" -z "${length}s" -t 60
      if [ "$rate" != 0 ]; then set -- "$@" -q "$each"; fi
      set -- "$@" "$url"
      ;;
    h2load)
      set -- h2load -t1 -c "$size" -m $streams -D "$length"
      if [ "$scheme" != http2 ]; then set -- "$@" --h1; fi
      if [ "$scheme" = unix ]; then set -- "$@" --base-uri "unix:$work/nginx/socket"; url=http://localhost$path; fi
      if [ "$rate" != 0 ]; then set -- "$@" --rps="$each" --log-file="$work/log"; fi
      set -- "$@" "$url"
      ;;
  esac
  metered "$pin" "$limit" "$@" || case $tool:$status in
    downbeat*:98 | downbeat*:99) ;; # undecided or an objective missed, but measured
    *) return 1 ;;
  esac
  read_output
  case $requests in '' | 0) return 1 ;; esac
}

k6_script() {
  if [ "$rate" = 0 ]; then
    plan="executor: 'constant-vus', vus: $size"
  else
    plan="executor: 'constant-arrival-rate', rate: $rate, timeUnit: '1s', preAllocatedVUs: $size, maxVUs: $size"
  fi
  cat <<SCRIPT
import http from 'k6/http';
export const options = { scenarios: { one: { $plan, duration: '${length}s' } } };
export default function () { http.get('$url'); }
SCRIPT
}

# Prints the number of the first such key after the mark. Enough for JSON of a known structure.
json() { # file, mark, key
  tr -d '\n' <"$1" | awk -v mark="\"$2\"" -v key="\"$3\"" '{
    from = index($0, mark)
    if (!from) exit
    rest = substr($0, from)
    from = index(rest, key)
    if (!from) exit
    rest = substr(rest, from + length(key))
    if (match(rest, /^[ \t]*:[ \t]*-?[0-9][0-9.eE+-]*/)) {
      number = substr(rest, RSTART, RLENGTH)
      sub(/^[ \t]*:[ \t]*/, "", number)
      print number
    }
  }'
}
lean_value() { awk -v name="$1" '$1 == name { print $2 }' "$work/out"; }
multiply() { awk -v a="${1:-0}" -v b="$2" 'BEGIN { printf "%.6f", a * b }'; }
# 1.23ms, 45us, 4.80s or 1.02m as microseconds
wrk_time_us() {
  awk -v t="$1" 'BEGIN {
    unit = t; sub(/^[0-9.]+/, "", unit)
    printf "%.3f", t * (unit == "us" ? 1 : unit == "ms" ? 1e3 : unit == "s" ? 1e6 : unit == "m" ? 6e7 : 3.6e9)
  }'
}

read_output() {
  requests='' per_second='' p99_us='' started=''
  case $tool in
    wrk | wrk2)
      requests=$(awk '/ requests in / { print $1 }' "$work/out")
      per_second=$(awk '/^Requests\/sec:/ { print $2 }' "$work/out")
      p99_us=$(wrk_time_us "$(awk '$1 == "99%" || $1 == "99.000%" { print $2; exit }' "$work/out")")
      if grep -q 'Non-2xx' "$work/out"; then requests=''; fi
      ;;
    lean | lean-*)
      requests=$(lean_value requests) per_second=$(lean_value per_second) p99_us=$(lean_value response_p99)
      started=$(lean_value started_monotonic_ns)
      ;;
    downbeat | downbeat-*)
      requests=$(json "$work/out" ledger answered)
      per_second=$(json "$work/out" rates achieved_per_s)
      p99_us=$(multiply "$(json "$work/out" response p99_ns)" 0.001)
      started=$(json "$work/out" started_monotonic_ns started_monotonic_ns)
      ;;
    vegeta)
      vegeta report -type=json "$work/log" >"$work/json"
      requests=$(json "$work/json" requests requests)
      per_second=$(json "$work/json" throughput throughput)
      p99_us=$(multiply "$(json "$work/json" latencies 99th)" 0.001)
      ;;
    k6)
      requests=$(json "$work/json" http_reqs count)
      per_second=$(json "$work/json" http_reqs rate)
      p99_us=$(multiply "$(json "$work/json" http_req_duration 'p(99)')" 1000)
      ;;
    oha | oha-*)
      per_second=$(json "$work/out" summary requestsPerSec)
      requests=$(multiply "$per_second" "$(json "$work/out" summary total)")
      p99_us=$(multiply "$(json "$work/out" latencyPercentiles p99)" 1000000)
      ;;
    fortio)
      requests=$(json "$work/json" DurationHistogram Count)
      per_second=$(json "$work/json" ActualQPS ActualQPS)
      p99_us=$(tr -d '\n\t ' <"$work/json" | sed -n 's/.*"Percentile":99,"Value":\([0-9.eE+-]*\)}.*/\1/p' |
        awk '{ printf "%.3f", $1 * 1000000 }')
      ;;
    hey)
      per_second=$(awk '/Requests\/sec:/ { print $2 }' "$work/out")
      requests=$(multiply "$per_second" "$(awk '/Total:/ { print $2; exit }' "$work/out")")
      p99_us=$(multiply "$(awk '$1 ~ /^99%+$/ { print $3 }' "$work/out")" 1000000)
      ;;
    h2load)
      requests=$(sed -n 's/^requests: .* \([0-9]*\) succeeded.*/\1/p' "$work/out")
      per_second=$(sed -n 's/^finished in [^,]*, \([0-9.]*\) req\/s.*/\1/p' "$work/out")
      if [ -s "$work/log" ]; then
        p99_us=$(cut -f 3 "$work/log" | sort -n | awk '{ v[NR] = $1 } END { k = int(NR * 0.99 + 0.999999); print v[k] }')
      fi
      ;;
  esac
}

# ---- parts ----

raw=$out/raw.tsv
: >"$raw"
rm -rf "$out/runs"
mkdir -p "$out/runs"
: >"$out/disturbances.tsv"
record() { # part, tool, metric, value
  case $4 in '' | 0.000000) return 0 ;; esac
  printf '%s\t%s\t%s\t%s\t%s\n' "$round" "$1" "$2" "$3" "$4" >>"$raw"
}
failed() { # part, tool
  say "round $round: $2 failed in '$1' (code ${status:-?}): $(tail -n 1 "$work/err" 2>/dev/null)"
  printf '%s\t%s\t%s\tfailed_run\t1\n' "$round" "$1" "$2" >>"$raw"
}

# CPU per request comes from runs of two lengths, so that the cost of start and warm-up cancels out.
closed_part() {
  part=closed
  start_fast_server
  for row in $(rotated_rows closed "$round"); do
    say "round $round of $rounds: closed, $row"
    if run_tool "$row" pinned "$seconds" 64 0; then
      short_cpu=$cpu short_requests=$requests
      if run_tool "$row" pinned $((seconds * 2)) 64 0; then
        record closed "$row" per_second "$per_second"
        record closed "$row" cpu_us "$(awk -v c="$cpu" -v d="$short_cpu" -v n="$requests" -v m="$short_requests" \
          'BEGIN { if (n > m && c > d) printf "%.4f", (c - d) * 1000000 / (n - m) }')"
        record closed "$row" peak_mib "$peak_mib"
        # wrk2's rate is unreachable here, so its p99 is only the growing backlog.
        if [ "$row" != wrk2 ]; then record closed "$row" p99_us "$p99_us"; fi
        continue
      fi
    fi
    failed closed "$row"
  done
  stop_server
}

# One run per round of each tool that supports the combination of transport, body and connections. cpu_us is the CPU time in the
# meter's window per request at the tool's rate; whole_cpu_us is that of the whole process, start included, per request.
shape() { # name, scheme, path, connections, tools
  if [ -n "$shapes" ] && ! within "$shapes" "$1"; then return 0; fi
  part=$1 scheme=$2 path=$3
  for row in $(rotated_rows shape "$round"); do
    if ! within "$5" "$row"; then continue; fi
    say "round $round of $rounds: $1, $row"
    if run_tool "$row" pinned "$seconds" "$4" 0; then
      record "$1" "$row" per_second "$per_second"
      record "$1" "$row" cpu_us "$(divide "$(multiply "$steady" 1000000)" "$per_second")"
      record "$1" "$row" whole_cpu_us "$(divide "$(multiply "$cpu" 1000000)" "$requests")"
      record "$1" "$row" peak_mib "$peak_mib"
      record "$1" "$row" p99_us "$p99_us"
    else
      failed "$1" "$row"
    fi
  done
  scheme=http path=/
}

shapes_part() {
  has nginx || { say "shapes need nginx"; return 0; }
  start_nginx
  shape differing-heads http /differ 64 wrk,downbeat,h2load,oha
  shape body-16KiB http /16384 64 wrk,downbeat,h2load,oha
  shape body-1MiB http /1048576 64 wrk,downbeat,h2load,oha
  shape unix-socket unix / 64 downbeat,h2load
  shape connections-1 http / 1 wrk,lean,downbeat,h2load,oha
  shape connections-1000 http / 1000 wrk,lean,downbeat,h2load,oha
  shape connections-10000 http / 10000 wrk,downbeat,h2load,oha
  if [ -n "$certificate" ]; then
    shape tls-300B https /300 64 wrk,downbeat,downbeat-boringssl,h2load,oha
    shape tls-16KiB https /16384 64 wrk,downbeat,downbeat-boringssl,h2load,oha
    shape tls-1MiB https /1048576 64 wrk,downbeat,downbeat-boringssl,h2load,oha
    shape http2-tls http2 /300 8 downbeat,h2load
    shape tls-10000 https /300 10000 downbeat,downbeat-boringssl,h2load
  fi
  stop_server
}

# Whole processes, from start to end, on any core.
cold_part() {
  part=cold scheme=http path=/
  start_fast_server
  cold help "$downbeat" run --help
  cold one-request "$downbeat" run "http://127.0.0.1:$port/" --closed 1 -n 1 -q
  cold second-of-100 "$downbeat" run "http://127.0.0.1:$port/" -d 1s -R 100 -q
  if has h2load; then cold h2load-one-request h2load --h1 -n 1 -c 1 -t 1 "http://127.0.0.1:$port/"; fi
  stop_server
}
cold() { # name, command...
  row=$1
  shift
  metered free 30 "$@" || case $status in 98 | 99) ;; *) failed cold "$row"; return 0 ;; esac
  if is_disturbed; then status=disturbed; failed cold "$row"; return 0; fi
  record cold "$row" wall_ms "$(multiply "$wall" 1000)"
  record cold "$row" cpu_ms "$(multiply "$cpu" 1000)"
  record cold "$row" peak_mib "$peak_mib"
}

wrk_maximum() {
  awk -F '\t' '$2 == "closed" && $3 == "wrk" && $4 == "per_second" && $5 > m { m = $5 } END { printf "%.0f", m }' "$raw"
}

sustained_part() {
  part=sustained row=maximum
  start_fast_server
  maximum=$(wrk_maximum)
  if [ "$maximum" = 0 ]; then # wrk or the closed part is missing
    base=lean
    if has wrk; then base=wrk; fi
    if ! run_tool $base pinned "$seconds" 64 0; then
      [ "$status" = disturbed ] || die "$base does not run: $(tail -n 1 "$work/err")"
      say "round $round: the run for the maximum of $base was disturbed; no sustained loads in this round"
      stop_server
      return 0
    fi
    maximum=$per_second
    say "the maximum of $base: $maximum/s"
  fi
  for percent in 75 85 95; do sustained_at $percent; done
  stop_server
}
sustained_at() { # percent of the maximum
  part=sustained-$1
  planned=$(awk -v m="$maximum" -v p="$1" 'BEGIN { printf "%d", m * p / 100 }')
  for row in $(rotated_rows sustained "$round"); do
    say "round $round of $rounds: sustained at $planned/s, $row"
    if run_tool "$row" pinned "$seconds" 64 "$planned"; then
      record "$part" "$row" planned "$planned"
      record "$part" "$row" achieved "$(awk -v a="$per_second" -v b="$planned" 'BEGIN { printf "%.4f", a / b * 100 }')"
      record "$part" "$row" peak_mib "$peak_mib"
      record "$part" "$row" p99_us "$p99_us"
    else
      failed "$part" "$row"
    fi
  done
}

fresh_stamper() {
  stop_server
  start_stamper "$work/stamps"
}
# Pins only the server: each tool may spread over the cores as it likes.
pacing_part() { # rate
  wanted=$1
  part=pacing-$wanted
  before=fresh_stamper
  for row in $(rotated_rows "pacing-$wanted" "$round"); do
    say "round $round of $rounds: pacing at $wanted/s, $row"
    if run_tool "$row" free "$seconds" 100 "$wanted"; then
      stop_server
      record "pacing-$wanted" "$row" cpu_percent "$(awk -v c="$cpu" -v w="$wall" 'BEGIN { printf "%.1f", c / w * 100 }')"
      awk -v rate="$wanted" -v start="$started" -f "$here/analyse.awk" "$work/stamps" >"$work/analysis"
      while read -r metric number; do
        printf '%s\tpacing-%s\t%s\t%s\t%s\n' "$round" "$wanted" "$row" "$metric" "$number" >>"$raw"
      done <"$work/analysis"
    else
      failed "pacing-$wanted" "$row"
      stop_server
    fi
  done
  before=:
}

freezing_stamper() {
  stop_server
  start_stamper "$work/stamps" -z "$freeze_at:$freeze_length"
}
freeze_part() {
  part=freeze
  before=freezing_stamper
  for row in $(rotated_rows freeze "$round"); do
    say "round $round of $rounds: Ctrl-Z, $row"
    rate=1000
    if [ "$row" = wrk ]; then rate=0; fi
    if run_tool "$row" free "$freeze_seconds" 100 $rate; then
      stop_server
      waker=$(awk '$2 == "woken_by_another" { print $3; exit }' "$work/stamps")
      if [ "$waker" != 0 ]; then
        say "round $round: process $waker woke the server early; the closed form uses the actual length"
      fi
      frozen=$(awk '$2 == "frozen_ns" { print $3 / 1e9; exit }' "$work/stamps")
      counted=$freeze_seconds
      # wrk2 calibrates for 10 s and discards what it measured in them.
      if [ "$row" = wrk2 ]; then counted=$((freeze_seconds - 10)); fi
      record freeze "$row" arrivals "$(grep -vc '^#' "$work/stamps")"
      record freeze "$row" p99_s "$(multiply "$p99_us" 0.000001)"
      record freeze "$row" closed_form_s "$(awk -v d="$frozen" -v t="$counted" -v c="$capacity" \
        'BEGIN { printf "%.4f", d - 0.01 * 1000 * t * (1 / 1000 - 1 / c) }')"
    else
      failed freeze "$row"
      stop_server
    fi
  done
  before=:
}

# The rate at which the stamper works off a backlog, measured with the lean client's closed loop.
capacity=''

# ---- the run ----

machine() {
  model=$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)
  echo "$(nproc) cores, ${model:-unknown processor}, $(uname -sr)"
}
load() { awk '{ print $1 }' /proc/loadavg; }

loads=$(load)
round=1 part=freeze row=capacity
if within "$parts" freeze && [ "$freeze_rounds" -gt 0 ]; then
  start_stamper /dev/null
  run_tool lean free 1 100 0 || die "the lean client does not run: $(tail -n 1 "$work/err")"
  capacity=$per_second
  stop_server
fi
while [ "$round" -le "$rounds" ]; do
  if within "$parts" closed; then closed_part; fi
  if within "$parts" shapes; then shapes_part; fi
  if within "$parts" sustained; then sustained_part; fi
  if within "$parts" pacing; then
    pacing_part 2000
    pacing_part 10000
  fi
  if within "$parts" freeze && [ "$round" -le "$freeze_rounds" ]; then freeze_part; fi
  if within "$parts" cold; then cold_part; fi
  loads="$loads, $(load)"
  round=$((round + 1))
done

: >"$out/versions.tsv"
for tool in $present; do
  v=$(version_of "$tool")
  printf '%s\t%s\n' "$tool" "$v" >>"$out/versions.tsv"
  case $tool in
    lean) set -- lean-spin lean-block ;;
    downbeat) set -- downbeat-spin downbeat-block downbeat-boringssl ;;
    oha) set -- oha-corrected ;;
    *) set -- ;;
  esac
  for row in "$@"; do
    if grep -q "	$row	" "$raw"; then printf '%s\t%s\n' "$row" "$v" >>"$out/versions.tsv"; fi
  done
done
{
  echo "# Downbeat compared with other load tools"
  echo
  echo "* $(machine)"
  echo "* $(date -u +%Y-%m-%dT%H:%MZ); $rounds alternating rounds of $seconds s runs; load average before and after each round: $loads"
  if has nginx; then
    echo "* server for closed loop and sustained rate: $(nginx -v 2>&1 | sed 's/.*: //'), one worker on core $server_core; clients on core $client_core"
  else
    echo "* nginx is not installed; the stamper served closed loop and sustained rate; clients on core $client_core"
  fi
  echo "* server for pacing and Ctrl-Z: stamper.c on core $server_core, clients not pinned"
  if [ -n "$missing" ]; then echo "* not installed:$missing"; fi
  awk -F '\t' -v most="$disturbed" '{ n++; if ($4 > most || $5 > most) d++; if ($4 > s) s = $4; if ($5 > f) f = $5 }
    END { printf "* %d runs, of which %d were discarded: other processes or the hypervisor took more than %s %% of the machine\n", n, d, most }' \
    "$out/disturbances.tsv"
  if [ "$rounds" -lt 5 ]; then echo "* fewer than 5 rounds are only a trial"; fi
  awk -v freeze_text="1,000/s for $freeze_seconds s over 100 connections, server frozen for $freeze_length s from second $freeze_at" \
    -f "$here/summary.awk" "$out/versions.tsv" "$raw"
} >"$out/comparison.md"
cat "$out/comparison.md"
say "written: $out/comparison.md and raw.tsv"
