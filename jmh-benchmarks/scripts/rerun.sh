#!/bin/sh
# Repeats benchmarks and compares them with committed results, with confidence intervals.
# usage: jmh-benchmarks/scripts/rerun.sh OLD.json PATTERN [JMH_OPTION...]
#   jmh-benchmarks/scripts/rerun.sh jmh-benchmarks/results/2026-11-21-connection.json LookupBenchmark -f 3
# Use the options of the committed run, which are in measure.sh.
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
