#!/usr/bin/env bash
# The step of action.yml: measures, and says how it ended. Inputs come as INPUT_..., never through a shell's eyes.
# Downbeat itself writes the job's summary and annotations (docs/files.md). DOWNBEAT names another command than the checkout's.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd -P)
downbeat=${DOWNBEAT:-$here/downbeat}
results=${INPUT_RESULTS:-downbeat-results}
mkdir -p "$results" || exit 1
result=$results/result.downbeat report=$results/report.html

lines() { # fills 'read_lines' with the lines of a text that are not empty
  read_lines=()
  while IFS= read -r line; do
    [ -z "$line" ] || read_lines+=("$line")
  done <<<"$1"
}
passed() { # whether what could not be decided is let through: 'fails', 'passes', or 'fails-after-3' times in a row
  local count=$results/branch/undecided times
  [ "$1" = 98 ] || { rm -f "$count"; return 1; }
  times=$(($(cat "$count" 2>/dev/null || echo 0) + 1))
  mkdir -p "$results/branch" && echo "$times" >"$count"
  case ${INPUT_UNDECIDED:-fails} in
    passes) ;;
    fails-after-*) [ "$times" -le "${INPUT_UNDECIDED#fails-after-}" ] || return 1 ;;
    *) return 1 ;;
  esac
  printf '::warning title=Downbeat::undecided, %s in a row; it passes since undecided is %s\n' "$times" "$INPUT_UNDECIDED"
}
end() { # exit code, what was printed
  local verdict
  case $1 in
    0) verdict=met ;;
    99) verdict=missed ;;
    # one code for what must not be believed and for what cannot be told yet: the report says which
    98) if grep -qi 'unsound' "$2"; then verdict=unsound; else verdict=undecided; fi ;;
    *) verdict=broken ;;
  esac
  passed "$1" && set -- 0 "$2"
  [ ! -s "$2" ] || "$here/release/comment.sh" "$2"
  [ -s "$result" ] || result=
  [ -s "$report" ] || report=
  printf '%s\n' "verdict=$verdict" "exit-code=$1" "results=$results" "result=$result" "report=$report" \
    >>"${GITHUB_OUTPUT:-/dev/null}"
  exit "$1"
}
refuse() {
  printf '::error::%s\n' "$1"
  : >"$results/report.txt"
  end 2 "$results/report.txt"
}

[ -n "${INPUT_TARGET:-}${INPUT_PLAN:-}" ] || refuse "Downbeat has nothing to measure: give 'target' (a URL or a .http file) or 'plan'"
[ -z "${INPUT_TARGET:-}" ] || [ -z "${INPUT_PLAN:-}" ] || refuse "Downbeat takes 'target' or 'plan', not both"
[ -z "${INPUT_AGAINST:-}" ] || [ -z "${INPUT_BASELINE:-}${INPUT_PLAN:-}" ] || refuse "Downbeat takes 'against' with 'target' alone"

case ${INPUT_UNDECIDED:-fails} in
  fails | passes | fails-after-[1-9] | fails-after-[1-9][0-9]) ;;
  *) refuse "Downbeat's 'undecided' must be fails, passes or fails-after-3, but was '$INPUT_UNDECIDED'" ;;
esac
[ -z "${INPUT_PLAN:-}" ] || [ -z "${INPUT_OBJECTIVES:-}" ] || refuse "Downbeat takes no 'objectives' beside 'plan', which has its own"

load=(-R "${INPUT_RATE:-100/s}" -d "${INPUT_DURATION:-30s}")
lines "${INPUT_OBJECTIVES:-}"
for objective in "${read_lines[@]+"${read_lines[@]}"}"; do load+=(--slo "$objective"); done
if [ -n "${INPUT_AGAINST:-}" ]; then
  words=(compare --live "$INPUT_AGAINST" "$INPUT_TARGET" --tolerance "${INPUT_TOLERANCE:-5%}" -o "$report" "${load[@]}")
elif [ -n "${INPUT_PLAN:-}" ]; then
  words=(run --plan "$INPUT_PLAN" -o "$result" -o "$report" -o "$results/report.xml")
else
  words=(run "$INPUT_TARGET" -o "$result" -o "$report" -o "$results/report.xml" "${load[@]}")
fi
lines "${INPUT_ARGUMENTS:-}"
words+=("${read_lines[@]+"${read_lines[@]}"}")

"$downbeat" "${words[@]}" | tee "$results/report.txt"
code=${PIPESTATUS[0]} said=$results/report.txt

baseline=${INPUT_BASELINE:-}
if [ "$baseline" = branch ]; then
  baseline=$results/branch/base.downbeat builds=$results/branch/builds
  if [ -s "$result" ]; then
    build=${GITHUB_SHA:-$(date +%s)}
    mkdir -p "$builds" && cp "$result" "$builds/${build:0:12}.downbeat"
    # the newest thirty: by their times, as the cache keeps them
    (cd "$builds" && ls -t -- *.downbeat | tail -n +31 | while IFS= read -r old; do rm -f -- "$old"; done)
    "$downbeat" history "$builds"/*.downbeat -o "$results/history.html" >"$results/history.txt" || true
    if [ -s "$results/history.txt" ]; then
      { echo '### Last builds'; echo '```'; cat "$results/history.txt"; echo '```'; } >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
    fi
  fi
  if [ -z "${GITHUB_BASE_REF:-}" ] || [ ! -s "$baseline" ]; then
    # a branch's own run, or its base's first: it is what the next is compared with
    if [ -s "$result" ]; then cp "$result" "$baseline"; fi
    [ -z "${GITHUB_BASE_REF:-}" ] || echo "::notice::Downbeat: the base branch has no result yet, so there is nothing to compare with"
    baseline=
  fi
fi
case $code in 0 | 98 | 99)
  if [ -n "$baseline" ] && [ -s "$result" ]; then
    "$downbeat" compare "$baseline" "$result" --tolerance "${INPUT_TOLERANCE:-5%}" -o "$results/compared.html" \
      | tee "$results/compared.txt"
    compared=${PIPESTATUS[0]}
    # what is worse, and what cannot be decided before what is well
    case $code,$compared in
      99,* | *,0) ;;
      *) code=$compared said=$results/compared.txt ;;
    esac
  fi
  ;;
esac
end "$code" "$said"
