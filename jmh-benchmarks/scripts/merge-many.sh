#!/bin/sh
# Measures the time of 'downbeat merge' with many shards and a heap of 1 GB: merge-many.sh [SHARDS] (default 1000)
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
