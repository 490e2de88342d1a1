#!/bin/sh
# Runs benchmarks again and compares with committed results, with intervals.
# usage: jmh-benchmarks/scripts/rerun.sh OLD.json PATTERN [JMH_OPTION...]
#   jmh-benchmarks/scripts/rerun.sh jmh-benchmarks/results/2026-11-21-connection.json LookupBenchmark -f 3
# The options should be those of the committed run: they stand in measure.sh.
set -eu
[ $# -ge 2 ] || { sed -n '2,5p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd -P)
jar=$here/../target/benchmarks.jar
[ -f "$jar" ] || { echo "build first: mvn -q -pl jmh-benchmarks -am -DskipTests package" >&2; exit 1; }
old=$1
pattern=$2
shift 2
new=$(mktemp)
trap 'rm -f "$new"' EXIT
java -jar "$jar" "$pattern" -prof dev.downbeat.jmh.DownbeatProfiler -prof dev.downbeat.bench.ProcessorTimeProfiler \
    -rf json -rff "$new" "$@" >&2
python3 "$here/compare.py" "$old" "$new"
