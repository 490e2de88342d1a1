#!/bin/sh
# Measures TLS handshakes and pool sizes again, and updates the tables and the picture of the client-costs page.
# Takes 10 minutes on a quiet machine.
set -eu
cd "$(dirname "$0")/../.."
new=jmh-benchmarks/target/new
jmh-benchmarks/scripts/measure.sh $new jdk-tls boringssl pool-rule
for group in jdk-tls boringssl pool-rule; do cp "$new/$group.json" "jmh-benchmarks/results/2026-11-22-$group.json"; done
python3 jmh-benchmarks/results/plots.py
mvn -B -q -Pfast -pl jmh-benchmarks -am -Dtest=MeasuredTablesTest -Ddownbeat.golden=write \
  -Dsurefire.failIfNoSpecifiedTests=false test
git --no-pager diff --stat jmh-benchmarks/results
