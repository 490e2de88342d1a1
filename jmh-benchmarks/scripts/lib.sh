# Functions for the scripts of this folder: start test servers, run Downbeat, read its JSON. Loopback only.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd -P)
downbeat=$root/downbeat
work=$(mktemp -d)
servers=

cleanup() {
  for pid in $servers; do kill "$pid" 2>/dev/null || true; done
  for pid in $servers; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

serve() { # name, option...: starts a test server and writes its URL to $work/NAME.url
  name=$1
  shift
  "$downbeat" serve "$@" >"$work/$name.out" 2>"$work/$name.err" &
  servers="$servers $!"
  for _ in $(seq 100); do
    url=$(grep -oE '(https?|unix):[^ ]+' "$work/$name.out" | head -n 1) && [ -n "$url" ] && break
    sleep 0.1
  done
  [ -n "${url:-}" ] || { echo "the server '$name' did not start: $(cat "$work/$name.err")" >&2; exit 1; }
  echo "$url" >"$work/$name.url"
}

url() { cat "$work/$1.url"; }

measure() { # file, argument...: one run; undecided (98) and missed (99) are fine here
  file=$1
  shift
  "$downbeat" run "$@" --json -q >"$file" || [ $? -ge 98 ]
}

value() { # file, object, key: prints a number of Downbeat's JSON, such as: value r.json service p50_ns
  awk -v object="\"$2\":" -v key="\"$3\":" '
    index($0, object) { inside = 1 }
    inside && (at = index($0, key)) { rest = substr($0, at + length(key)); sub(/^ */, "", rest); sub(/[,} ].*/, "", rest); print rest; exit }
  ' "$1"
}

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR == 0) print 0; else if (NR % 2) print v[(NR + 1) / 2]; else print (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

us() { awk -v n="$1" 'BEGIN { printf "%.1f us", n / 1000 }'; }

alternate() { # a, b, rounds: calls the script's functions run_A and run_B in turns and prints medians
  a=$1 b=$2 rounds=$3
  for round in $(seq "$rounds"); do
    "run_$a" "$work/$a.$round.json"
    "run_$b" "$work/$b.$round.json"
    for side in "$a" "$b"; do
      for key in p50_ns p99_ns; do
        value "$work/$side.$round.json" service "$key" >>"$work/$side.service.$key"
      done
      value "$work/$side.$round.json" connect p50_ns >>"$work/$side.connect.p50_ns"
    done
    paste "$work/$b.service.p50_ns" "$work/$a.service.p50_ns" | tail -n 1 | awk '{ print $1 / $2 }' >>"$work/ratio"
  done
  for side in "$a" "$b"; do
    printf '  %-12s service p50 %12s   p99 %12s   (medians of %s runs)\n' "$side" \
      "$(us "$(median <"$work/$side.service.p50_ns")")" "$(us "$(median <"$work/$side.service.p99_ns")")" "$rounds"
  done
  printf '  %s takes %s times as long as %s at p50 (median of the ratios: %s)\n' "$b" \
    "$(median <"$work/ratio")" "$a" "$(sort -n "$work/ratio" | tr '\n' ' ')"
}
