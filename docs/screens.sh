#!/bin/sh
# Compares ten screens of two versions by lines, words and longest sentence in words. A sentence ends at . : ; ! ? or with its
# table cell. Both versions run the same commands against one service, which AFTER starts.
# usage: docs/screens.sh BEFORE AFTER    (two launchers, such as ../before/downbeat ./downbeat)
set -eu
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
export DOWNBEAT_LAST=off NO_COLOR=1 COLUMNS=80

# Joins the lines of a sentence; each table cell counts as a sentence.
count() { # file
  awk '
    function end() { if (words > longest) longest = words; words = 0 }
    { lines++ }
    /^ *$/ || /^ *[!0-9] / || /^ +[^ ]+( [^ ]+)?  +[^ ]/ || /^[^ ]/ { end() }
    {
      cells = split($0, cell, /  +/)
      for (c = 1; c <= cells; c++) {
        if (c > 1 && cell[c - 1] != "") end()
        tokens = split(cell[c], token, " ")
        for (t = 1; t <= tokens; t++) {
          all++
          if (token[t] ~ /[A-Za-z0-9]/) words++
          if (token[t] ~ /[.:;!?]$/) end()
        }
      }
    }
    END { end(); printf "%5d %6d %8d", lines, all, longest }' "$1"
}

screens() { # launcher, folder
  b=$1
  mkdir "$2"
  cd "$2"
  u=http://127.0.0.1:$port/
  "$b" run "$u" -R 300 -d 5s --seed 1 -q -o a.downbeat >/dev/null 2>&1 || true
  "$b" run "$u" -R 300 -d 5s --seed 2 -q -o b.downbeat >/dev/null 2>&1 || true
  "$b" run --seed 7 -q >01-demo 2>&1 || true
  "$b" run "$u" -R 200 -d 5s --seed 1 --slo 'p99<50ms' -q >02-run 2>&1 || true
  "$b" compare a.downbeat b.downbeat -q >03-compare 2>&1 || true
  "$b" sweep "$u" -R 100..400 --step-duration 3s --budget 20s --slo 'p99<50ms' --seed 1 -q >05-sweep 2>&1 || true
  "$b" position "$u" --runs 20 --requests 20 -q >06-position 2>&1 || true
  "$b" session a.downbeat -n 40 >07-session 2>&1 || true
  "$b" simulate retry-three --seed 1 -q >08-simulate 2>&1 || true
  "$b" --help >09-help 2>&1 || true
  "$b" run --help >10-run-help 2>&1 || true
  cd - >/dev/null
}

before=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
after=$(cd "$(dirname "$2")" && pwd -P)/$(basename "$2")
port=$((20000 + $$ % 20000))
"$after" serve --port "$port" --delay exp:2ms >/dev/null 2>&1 &
server=$!
sleep 2
screens "$before" "$work/before"
screens "$after" "$work/after"
printf '%-16s %22s  %22s\n' '' before after
printf '%-16s %5s %6s %8s  %6s %6s %8s\n' screen lines words longest lines words longest
for screen in "$work"/after/[01]*; do
  name=$(basename "$screen")
  printf '%-16s %s   %s\n' "${name#*-}" "$(count "$work/before/$name")" "$(count "$screen")"
done
[ -z "${KEEP:-}" ] || cp -r "$work/before" "$work/after" "$KEEP"
