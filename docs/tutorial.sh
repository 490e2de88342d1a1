#!/bin/sh
# Follows the tutorial literally: clones this checkout, runs every command of docs/tutorial.md in the clone, and prints the time
# to the first finding and to the end.
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
echo "tutorial done: first finding after $first s, end after $(($(date +%s) - began)) s"
