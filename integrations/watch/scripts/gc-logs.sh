#!/bin/sh
# Regenerates the logs for GcLogTest, with each collector of each given JDK:
#   integrations/watch/scripts/gc-logs.sh /usr/lib/jvm/java-17-openjdk-amd64 ...
set -eu
here=$(cd "$(dirname "$0")/.." && pwd -P)
logs=$here/src/test/resources/dev/downbeat/watch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/Garbage.java" <<'JAVA'
class Garbage {
    static volatile Object kept;
    public static void main(String[] args) {
        java.util.ArrayDeque<byte[]> some = new java.util.ArrayDeque<>();
        for (int i = 0; i < 3_000; i++) {
            some.add(new byte[20_000]);
            if (some.size() > 300) some.poll();
            if (i == 2_000) System.gc();
        }
        kept = some;
    }
}
JAVA
for jdk in "$@"; do
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
  for collector in G1 Parallel Serial Z Shenandoah; do
    log=$logs/gc-$version-$collector.log
    "$jdk/bin/java" -Xmx64m -XX:+Use${collector}GC "-Xlog:gc*,safepoint:file=$work/log:utctime,uptime,level,tags" "$work/Garbage.java" \
      >/dev/null 2>&1 || { echo "$version has no $collector" >&2; continue; }
    # Keeps the relevant lines and some irrelevant ones.
    grep -E 'Pause|Safepoint|Allocation Stall|Using|Init|User=' "$work/log" | head -n 60 >"$log"
  done
done
