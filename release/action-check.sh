#!/usr/bin/env bash
# Runs the step of action.yml as GitHub would, against local services, and checks exit code, outputs and files of each outcome.
# Prints a table. Needs a quiet machine: under other load, a slower service may be undecided.
#   release/action-check.sh             (DOWNBEAT names the command to test; default: the checkout's)
#   release/action-check.sh turns N     compares an unchanged service and one that is 20 % slower with their base, N times,
#                                       one minute each. SIGTERM ends it early and prints the summary so far.
set -euo pipefail
[ "${1:-cases} ${2:-}" = 'cases ' ] || [[ "$1 ${2:-}" =~ ^turns\ [1-9][0-9]*$ ]] || { echo "usage: $0 [turns N]" >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
downbeat=${DOWNBEAT:-$here/downbeat}
export DOWNBEAT=$downbeat
work=$(mktemp -d)
servers=()
end() {
  for server in "${servers[@]+"${servers[@]}"}"; do kill "$server" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap end EXIT
"$downbeat" --version >/dev/null

serve() { # name, options...: starts a service and writes its address to NAME.uri
  "$downbeat" serve --port 0 "${@:2}" >"$work/$1.out" 2>"$work/$1.err" &
  servers+=($!)
  for _ in $(seq 100); do
    uri=$(grep -ohm 1 'http://[0-9.:]*/' "$work/$1.out" "$work/$1.err" | head -n 1) || uri=
    if [ -n "$uri" ]; then printf '%s' "$uri" >"$work/$1.uri"; return; fi
    sleep 0.1
  done
  echo "action-check: the service '$1' did not start" >&2
  cat "$work/$1.err" >&2
  exit 1
}
# The two differ by a factor of ten, and both are slow enough for delays of a busy machine to matter little.
serve quick --delay 50ms
serve slow --delay 500ms
quick=$(cat "$work/quick.uri") slow=$(cat "$work/slow.uri")

if [ "${1:-}" = turns ]; then
  serve slower --delay 60ms
  green=0 red=0 rounds=0
  summarize() {
    echo "unchanged: green in $green of $rounds; slower by 20 %: red in $red of $rounds"
    [ "$rounds" -gt 0 ] && [ "$green" -eq "$rounds" ] && [ $((10 * red)) -ge $((9 * rounds)) ] || exit 1
    exit 0
  }
  trap summarize TERM INT
  for round in $(seq "$2"); do
    for leg in quick slower; do
      code=0
      (cd "$work" && env -u GITHUB_ACTIONS GITHUB_OUTPUT="$work/output.$leg" INPUT_RATE=40/s INPUT_DURATION=10s \
        INPUT_RESULTS="$work/leg.$leg" INPUT_TARGET="$(cat "$work/$leg.uri")" INPUT_AGAINST="$quick" "$here/release/action.sh") \
        >"$work/leg.$leg.txt" 2>&1 || code=$?
      case $leg,$code in
        quick,0) unchanged=1 ;;
        quick,*) unchanged=0 ;;
        slower,99) green=$((green + unchanged)) red=$((red + 1)) rounds=$((rounds + 1)) ;;
        slower,*) green=$((green + unchanged)) rounds=$((rounds + 1)) ;;
      esac
      printf '%s %-7s %3s  %s\n' "$round" "$leg" "$code" "$(head -n 1 "$work/leg.$leg/report.txt")"
    done
  done
  summarize
fi

wrong=0
printf '%-44s %-10s %4s  %s\n' case verdict code files
step() { # name, verdict, code, expected files, INPUT_...=... settings
  local folder=$work/case code=0
  [ -n "${kept:-}" ] || rm -rf "$folder" # kept=1 keeps the files of the step before
  mkdir -p "$folder"
  rm -f "$folder/output"
  (cd "$folder" && env -u GITHUB_ACTIONS GITHUB_OUTPUT="$folder/output" GITHUB_STEP_SUMMARY="$folder/summary" INPUT_RATE=40/s \
    INPUT_DURATION=3s INPUT_RESULTS="$folder/results" INPUT_ARGUMENTS=$'--seed\n7' "${@:5}" "$here/release/action.sh") \
    >"$work/log" 2>&1 || code=$?
  local verdict files
  verdict=$(sed -n 's/^verdict=//p' "$folder/output")
  files=$(cd "$folder/results" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | tr '\n' ' ')
  printf '%-44s %-10s %4s  %s\n' "$1" "$verdict" "$code" "$files"
  local outputs=ok file
  grep -qx "exit-code=$code" "$folder/output" || outputs='no exit code among the outputs'
  for file in $4; do [ -s "$folder/results/$file" ] || outputs="no $file"; done
  if [ "$verdict,$code,$outputs" != "$2,$3,ok" ]; then
    echo "  WRONG: expected $2, $3; $outputs"
    sed 's/^/  | /' "$work/log" | tail -n 15
    wrong=$((wrong + 1))
  fi
  if [ -s "$folder/results/result.downbeat" ]; then cp "$folder/results/result.downbeat" "$work/${1%% *}.downbeat"; fi
}
all='report.txt result.downbeat report.html report.xml'
step 'met'                            met 0 "$all" INPUT_TARGET="$quick" INPUT_OBJECTIVES=$'p50<10s\nerrors<1%'
step 'missed'                         missed 99 "$all" INPUT_TARGET="$slow" INPUT_OBJECTIVES='p50<10ms'
step 'undecided: too few requests'    undecided 98 "$all" INPUT_TARGET="$quick" INPUT_OBJECTIVES='p99.99<10s'
step 'broken: nothing listens'        broken 1 '' INPUT_TARGET=http://127.0.0.1:1/
step 'broken: invalid objective'      broken 2 '' INPUT_TARGET="$quick" INPUT_OBJECTIVES='p99 is fast'
step 'broken: nothing to measure'     broken 2 '' INPUT_TARGET=
step 'broken: objectives and a plan'  broken 2 '' INPUT_TARGET= INPUT_PLAN=plan.json INPUT_OBJECTIVES='p50<1s'
step 'broken: objectives and against' broken 2 '' INPUT_TARGET="$quick" INPUT_AGAINST="$quick" INPUT_OBJECTIVES='p50<1s'
printf '### orders\nGET %sorders\n\n### carts\nGET %scarts\n' "$quick" "$quick" >"$work/shop.http"
step 'request file'                   met 0 "$all" INPUT_TARGET="$work/shop.http" INPUT_OBJECTIVES='carts: p50<10s'
"$downbeat" plan "$quick" -R 40 -d 3s --slo 'p50<10s' --shards 1 >"$work/plan.json"
step 'plan'                           met 0 "$all" INPUT_PLAN="$work/plan.json" INPUT_ARGUMENTS= INPUT_RATE= INPUT_DURATION=
step 'plan: has its own load'         broken 2 '' INPUT_PLAN="$work/plan.json" INPUT_ARGUMENTS= INPUT_RATE= INPUT_DURATION=9s
step 'arguments: replace the load'    met 0 "$all" INPUT_TARGET="$quick" INPUT_RATE= INPUT_DURATION= INPUT_OBJECTIVES='p50<10s' \
  INPUT_ARGUMENTS=$'--closed\n4\n-d\n3s'
# A run of less than 10 s has no intervals to compare.
step 'base'                           met 0 "$all" INPUT_TARGET="$quick" INPUT_DURATION=12s
# Two single runs of less than 20 s may differ by 30 %, so a tolerance of 5 % stays undecided.
step 'baseline: the same service'     undecided 0 "$all compared.txt" INPUT_TARGET="$quick" INPUT_BASELINE="$work/base.downbeat" \
  INPUT_DURATION=12s
step 'against: the same service'      met 0 'report.txt report.html' INPUT_TARGET="$quick" INPUT_AGAINST="$quick" INPUT_DURATION=10s \
  INPUT_ARGUMENTS=$'--percentiles\np50'
step 'against: too few requests'      undecided 0 'report.txt report.html' INPUT_TARGET="$quick" INPUT_AGAINST="$quick" \
  INPUT_DURATION=2s INPUT_ARGUMENTS=$'--percentiles\np99'
step 'against: too few, strict'       undecided 98 'report.txt report.html' INPUT_TARGET="$quick" INPUT_AGAINST="$quick" \
  INPUT_DURATION=2s INPUT_ARGUMENTS=$'--percentiles\np99' INPUT_UNDECIDED=fails
step 'baseline: slower'               missed 99 "$all compared.txt compared.html" INPUT_TARGET="$slow" \
  INPUT_BASELINE="$work/base.downbeat" INPUT_DURATION=12s
step 'against: slower than the base'  missed 99 'report.txt report.html' INPUT_TARGET="$slow" INPUT_AGAINST="$quick" \
  INPUT_DURATION=10s
step 'undecided: passes'              undecided 0 "$all" INPUT_TARGET="$quick" INPUT_OBJECTIVES='p99.99<10s' INPUT_UNDECIDED=passes
rare=(undecided "$all result.undecided" INPUT_TARGET="$quick" INPUT_OBJECTIVES='p99.99<10s' INPUT_UNDECIDED=fails-after-2)
for code in 0 0 98; do kept=1 step "undecided: after two in a row" "${rare[0]}" "$code" "${rare[@]:1}"; done
kept=1 step 'undecided: decided'              met 0 "$all" INPUT_TARGET="$quick" INPUT_OBJECTIVES='p50<10s' INPUT_UNDECIDED=fails-after-2
kept=1 step 'undecided: count restarts'       undecided 0 "${rare[@]:1}"
step 'undecided: invalid value'       broken 2 '' INPUT_TARGET="$quick" INPUT_UNDECIDED=fail
step 'branch: first build'            met 0 "$all history.txt branch/base.downbeat branch/builds/a1b2c3d4e5f6.downbeat" \
  INPUT_TARGET="$quick" INPUT_BASELINE=branch GITHUB_SHA=a1b2c3d4e5f60718
kept=1 step 'branch: build without a result' broken 2 branch/base.downbeat INPUT_TARGET="$quick" INPUT_BASELINE=branch INPUT_OBJECTIVES='p99 is fast'
[ ! -e "$work/case/results/result.downbeat" ] || { echo '  WRONG: the previous build'"'"'s result is still there'; wrong=$((wrong + 1)); }
# Too short to decide, but it is compared.
kept=1 step 'branch: pull request'    undecided 98 "$all compared.txt" INPUT_TARGET="$quick" INPUT_BASELINE=branch GITHUB_BASE_REF=main
step 'branch: base without a result' met 0 "$all" INPUT_TARGET="$quick" INPUT_BASELINE=branch GITHUB_BASE_REF=main
[ "$wrong" -eq 0 ] && echo "all cases passed"
exit "$((wrong > 0))"
