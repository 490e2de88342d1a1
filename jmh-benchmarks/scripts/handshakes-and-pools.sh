#!/bin/sh
# Measures TLS handshakes and the rule for pools anew, and fills the tables and the picture of the page of client costs from it:
# 10 minutes, on a machine that does nothing else.
set -eu
cd "$(dirname "$0")/../.."
new=jmh-benchmarks/target/new
jmh-benchmarks/scripts/measure.sh $new jdk-tls boringssl pool-rule
for group in jdk-tls boringssl pool-rule; do cp "$new/$group.json" "jmh-benchmarks/results/2026-11-22-$group.json"; done
python3 jmh-benchmarks/results/plots.py
mvn -B -q -Pfast -pl jmh-benchmarks -am -Dtest=MeasuredTablesTest -Ddownbeat.golden=write \
  -Dsurefire.failIfNoSpecifiedTests=false test
git --no-pager diff --stat jmh-benchmarks/results
