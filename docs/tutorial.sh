#!/bin/sh
# Does the tutorial literally: clones this checkout, types every command of docs/tutorial.md in it, and says how long it
# took until the first finding and until the end.
# usage: docs/tutorial.sh
set -eu
here=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'kill $(cat "$work"/pids 2>/dev/null) 2>/dev/null || true; rm -rf "$work"' EXIT
git clone -q "$here" "$work/downbeat"
cd "$work/downbeat"
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/tutorial.md |
  sed "s|&\$|\\& echo \$! >>$work/pids|" >"$work/commands"
began=$(date +%s)
first=
while read -r command; do
  echo "\$ $command"
  sh -c "$command"
  [ -n "$first" ] || { first=$(($(date +%s) - began)); echo "(first finding after $first s)"; }
done <"$work/commands"
echo "tutorial done: first finding after $first s, all of it in $(($(date +%s) - began)) s"
