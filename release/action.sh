#!/usr/bin/env bash
# The step of action.yml: measures and writes the outputs. Inputs arrive as INPUT_..., so no shell expands them.
# Downbeat itself writes the job summary and annotations (docs/files.md). DOWNBEAT overrides the checkout's command.
set -uo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
downbeat=${DOWNBEAT:-$here/downbeat}
results=${INPUT_RESULTS:-downbeat-results}
mkdir -p "$results" || exit 1
result=$results/result.downbeat report=$results/report.html
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT

lines() { # text: sets 'read_lines' to its non-empty lines
  read_lines=()
  while IFS= read -r line; do
    [ -z "$line" ] || read_lines+=("$line")
  done <<<"$1"
}
measure() { # name, arguments of Downbeat: sets 'code', 'said' and 'verdict' (which Downbeat writes as a step output)
  said=$results/$1.txt
  : >"$output"
  GITHUB_OUTPUT=$output "$downbeat" "${@:2}" | tee "$said"
  code=${PIPESTATUS[0]} verdict=$(<"$output")
}
end() {
  if [ -n "$said" ] && [ ! -s "$said" ]; then # otherwise the comment of an earlier build would stay, such as "Met"
    case $code in 0 | 98 | 99) ;; *) printf 'There is no result (exit code %s): see the job log.\n' "$code" >"$said" ;; esac
  fi
  [ ! -s "$said" ] || "$here/release/comment.sh" "$said"
  [ -s "$result" ] || result=
  [ -s "$report" ] || report=
  printf '%s\n' "${verdict:-verdict=broken}" "exit-code=$code" "results=$results" "result=$result" "report=$report" \
    >>"${GITHUB_OUTPUT:-/dev/null}"
  exit "$code"
}
refuse() {
  printf '::error::%s\n' "$1"
  code=2 said=$results/refused.txt verdict=''
  printf '%s\n' "$1" >"$said"
  end
}

if [ -n "${INPUT_BASELINE:-}" ] && [ "$INPUT_BASELINE" -ef "$result" ]; then
  result='' report='' # these belong to another step and stay
  refuse "Downbeat cannot compare with 'baseline', the file that this step writes: give one of the steps other 'results'"
fi
# Files of an earlier build or step must not pass for this one's.
rm -f "$result" "$results/report.xml" "$results"/{refused,report,compared,history}.{txt,html}
[ -n "${INPUT_TARGET:-}${INPUT_PLAN:-}" ] || refuse "Downbeat has nothing to measure: give 'target' (a URL or a .http file) or 'plan'"
[ -z "${INPUT_TARGET:-}" ] || [ -z "${INPUT_PLAN:-}" ] || refuse "Downbeat takes 'target' or 'plan', not both"
[ -z "${INPUT_AGAINST:-}" ] || [ -z "${INPUT_BASELINE:-}${INPUT_PLAN:-}" ] || refuse "Downbeat takes no 'baseline' or 'plan' with 'against'"
[ -z "${INPUT_AGAINST:-}" ] || [ -z "${INPUT_OBJECTIVES:-}" ] || refuse "Downbeat takes no 'objectives' with 'against', which 'tolerance' judges"

[ -z "${INPUT_PLAN:-}" ] || [ -z "${INPUT_OBJECTIVES:-}${INPUT_RATE:-}${INPUT_DURATION:-}" ] \
  || refuse "Downbeat takes no 'objectives', 'rate' or 'duration' with 'plan', which has its own"

# Events such as issue_comment or workflow_run run on main but may measure a guest's code, which must not become the base.
case ${INPUT_BASELINE:-},${GITHUB_BASE_REF:-},${GITHUB_EVENT_NAME:-push} in
  branch,,push | branch,,schedule | branch,,workflow_dispatch | branch,,merge_group) ;;
  branch,,*) refuse "Downbeat takes 'baseline: branch' on push, schedule, workflow_dispatch, merge_group and pull_request, not on $GITHUB_EVENT_NAME" ;;
esac

undecided=()
[ -z "${INPUT_UNDECIDED:-}" ] || undecided=(--undecided "$INPUT_UNDECIDED")
compare=(--tolerance "${INPUT_TOLERANCE:-5%}" "${undecided[@]+"${undecided[@]}"}")
load=()
[ -z "${INPUT_RATE:-}" ] || load+=(-R "$INPUT_RATE")
[ -z "${INPUT_DURATION:-}" ] || load+=(-d "$INPUT_DURATION")
lines "${INPUT_OBJECTIVES:-}"
for objective in "${read_lines[@]+"${read_lines[@]}"}"; do load+=(--slo "$objective"); done
if [ -n "${INPUT_AGAINST:-}" ]; then
  words=(compare --live "$INPUT_AGAINST" "$INPUT_TARGET" "${compare[@]}" -o "$report" "${load[@]+"${load[@]}"}")
elif [ -n "${INPUT_PLAN:-}" ]; then
  words=(run --plan "$INPUT_PLAN" "${undecided[@]+"${undecided[@]}"}" -o "$result" -o "$report" -o "$results/report.xml")
else
  words=(run "$INPUT_TARGET" "${undecided[@]+"${undecided[@]}"}" -o "$result" -o "$report" -o "$results/report.xml" "${load[@]+"${load[@]}"}")
fi
lines "${INPUT_ARGUMENTS:-}"
words+=("${read_lines[@]+"${read_lines[@]}"}")

# Environment variables are defaults, which any load in the arguments replaces.
DOWNBEAT_RATE=${DOWNBEAT_RATE:-100/s} DOWNBEAT_DURATION=${DOWNBEAT_DURATION:-30s} measure report "${words[@]}"

baseline=${INPUT_BASELINE:-}
if [ "$baseline" = branch ]; then
  baseline=$results/branch/base.downbeat builds=$results/branch/builds
  if [ -s "$result" ]; then
    build=${GITHUB_SHA:-$(date +%s)}
    mkdir -p "$builds" && cp "$result" "$builds/${build:0:12}.downbeat"
    # Keeps the newest thirty by modification time, which the cache preserves.
    (CDPATH='' cd -- "$builds" && ls -t -- *.downbeat | tail -n +31 | while IFS= read -r old; do rm -f -- "$old"; done)
    "$downbeat" history "$builds"/*.downbeat -o "$results/history.html" >"$results/history.txt" || true
    if [ -s "$results/history.txt" ]; then
      { echo '### Last builds'; echo '```'; cat "$results/history.txt"; echo '```'; } >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
    fi
  fi
  if [ -z "${GITHUB_BASE_REF:-}" ]; then
    # Pull requests are compared with the branch's last good run. Their own runs never replace it: the next
    # build of a pull request would be compared with itself.
    if [ "$code" -eq 0 ] && [ -s "$result" ]; then cp "$result" "$baseline"; fi
    baseline=
  elif [ ! -s "$baseline" ]; then
    echo "::notice::Downbeat: the base branch has no result yet, so there is nothing to compare with"
    baseline=
  fi
fi
case $code in 0 | 98 | 99)
  if [ -n "$baseline" ] && [ -s "$result" ]; then
    first=("$code" "$said" "$verdict")
    measure compared compare "$baseline" "$result" "${compare[@]}" -o "$results/compared.html"
    # The worse of the two verdicts counts; undecided is worse than met.
    case ${first[2]},$verdict in
      verdict=missed,* | *,verdict=met) code=${first[0]} said=${first[1]} verdict=${first[2]} ;;
      verdict=undecided,verdict=undecided) [ "${first[0]}" = 0 ] || { code=${first[0]}; said=${first[1]}; } ;;
    esac
  fi
  ;;
esac
end
