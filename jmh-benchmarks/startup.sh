#!/bin/sh
# Measures the start-up time of the command line: the median of 11 runs of `--version`, after one that does not count.
# The same for `java -version`, the JVM's own share on this machine. CPU time is the mean of all runs; on a shared machine it is
# more reliable than wall time. Goal: at most 300 ms.
#
# Usage: jmh-benchmarks/startup.sh [JAR]      default: cli/target/downbeat.jar
# JAVA_HOME chooses the JDK, DOWNBEAT_JAVA_OPTS adds JVM flags.
set -eu

goal_ms=300
runs=11

home=$(cd "$(dirname "$0")/.." && pwd -P)
jar=${1:-$home/cli/target/downbeat.jar}
java=${JAVA_HOME:+$JAVA_HOME/bin/java}
java=${java:-java}

refuse() { printf 'startup: %s\n' "$1" >&2; exit 2; }

[ -f "$jar" ] || refuse "no jar at $jar: build it with 'mvn -q -pl cli -am -DskipTests package'"
command -v "$java" >/dev/null 2>&1 || refuse "no Java found: '$java' does not run"
case $(date +%N) in
  *[!0-9]*) refuse "this needs a 'date' with nanoseconds (%N), such as GNU's" ;;
esac

# Prints a command's median, minimum and maximum wall time and its mean CPU time, in whole milliseconds.
measure() {
  "$@" >/dev/null 2>&1 || refuse "'$*' failed with exit code $?"
  i=0
  {
    while [ "$i" -lt "$runs" ]; do
      began=$(date +%s%N)
      "$@" >/dev/null 2>&1
      ended=$(date +%s%N)
      echo $(((ended - began) / 1000000))
      i=$((i + 1))
    done
    times
  } | sort -n | awk -v runs="$runs" '
    function seconds(text, part) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
    /m/ { ms_each = (seconds($1) + seconds($2)) * 1000 / runs; if (ms_each > cpu) cpu = ms_each; next }
    { ms[++count] = $1 }
    END { print ms[int((count + 1) / 2)], ms[1], ms[count], int(cpu + 0.5) }'
}

# shellcheck disable=SC2086  # the options are split on purpose
{
  bare=$(measure "$java" ${DOWNBEAT_JAVA_OPTS:-} -version)
  cli=$(measure "$java" ${DOWNBEAT_JAVA_OPTS:-} -jar "$jar" --version)
}

"$java" -version 2>&1 | sed -n 1p
echo "$bare" | while read -r median least greatest cpu; do
  printf 'java -version        median %4d ms  (%d to %d), CPU %d ms\n' "$median" "$least" "$greatest" "$cpu"
done
echo "$cli" | while read -r median least greatest cpu; do
  printf 'downbeat --version   median %4d ms  (%d to %d), CPU %d ms\n' "$median" "$least" "$greatest" "$cpu"
  if [ "$median" -le "$goal_ms" ]; then
    printf 'goal of %d ms met\n' "$goal_ms"
  else
    printf 'goal of %d ms missed by %d ms\n' "$goal_ms" $((median - goal_ms))
  fi
done
