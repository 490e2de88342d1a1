#!/usr/bin/env bash
# The step of action.yml: measures, and says how it ended. Inputs come as INPUT_..., never through a shell's eyes.
# Downbeat itself writes the job's summary and annotations (docs/files.md). DOWNBEAT names another command than the checkout's.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd -P)
downbeat=${DOWNBEAT:-$here/downbeat}
results=${INPUT_RESULTS:-downbeat-results}
mkdir -p "$results" || exit 1

lines() { # fills 'read_lines' with the lines of a text that are not empty
  read_lines=()
  while IFS= read -r line; do
    [ -z "$line" ] || read_lines+=("$line")
  done <<<"$1"
}

words=()
if [ -n "${INPUT_AGAINST:-}" ]; then
  words+=(compare --live "$INPUT_AGAINST" "$INPUT_TARGET" --tolerance "${INPUT_TOLERANCE:-5%}")
else
  words+=(run "$INPUT_TARGET" -o "$results/result.downbeat" -o "$results/report.html" -o "$results/report.xml")
fi
words+=(-R "${INPUT_RATE:-100/s}" -d "${INPUT_DURATION:-30s}")
lines "${INPUT_OBJECTIVES:-}"
for objective in "${read_lines[@]+"${read_lines[@]}"}"; do words+=(--slo "$objective"); done
lines "${INPUT_ARGUMENTS:-}"
words+=("${read_lines[@]+"${read_lines[@]}"}")

"$downbeat" "${words[@]}" | tee "$results/report.txt"
code=${PIPESTATUS[0]}
case $code in
  0) verdict=met ;;
  99) verdict=missed ;;
  98)
    # one code for what must not be believed and for what cannot be told yet: the report says which
    if grep -qi 'unsound' "$results/report.txt"; then verdict=unsound; else verdict=undecided; fi ;;
  *) verdict=broken ;;
esac
printf 'verdict=%s\nexit-code=%s\nresults=%s\n' "$verdict" "$code" "$results" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
