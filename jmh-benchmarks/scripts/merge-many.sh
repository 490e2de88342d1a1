#!/bin/sh
# How long and with how much memory 'downbeat merge' takes for many shards: merge-many.sh [SHARDS], 1000 by default.
set -eu
home=$(cd "$(dirname "$0")/../.." && pwd -P)
jar=$home/cli/target/downbeat.jar
count=${1:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java -Xmx512m -cp "$jar" "$home/jmh-benchmarks/scripts/ManyShards.java" "$count" "$work"
du -sh "$work" | cut -f1
begin=$(date +%s%N)
java -Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$jar" merge "$work"/*.downbeat -o "$work/all.downbeat" \
  -o "$work/all.html" >"$work/out"
end=$(date +%s%N)
grep -E 'MEASUREMENT|planned|processes' "$work/out"
echo "$count shards merged in $(((end - begin) / 1000000)) ms with -Xmx1g"
