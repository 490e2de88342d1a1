#!/bin/sh
# Measures time and memory of the audit of a JTL with ten million rows. Goal: at most 20 s and 200 MB.
# usage: jmh-benchmarks/audit/ten-million.sh [ROWS]      (needs a quiet machine, 1 GB in the folder for temporary files, and Linux)
. "$(dirname "$0")/../scripts/lib.sh"
rows=${1:-10000000}
file=$work/rows.jtl
# 64 threads, 10 ms per sample, and a freeze of 2 s in the middle
awk -v rows="$rows" 'BEGIN {
  print "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"
  for (thread = 0; thread < 64; thread++) at[thread] = 1700000000000 + thread % 10
  for (row = 0; row < rows; row++) {
    thread = row % 64
    elapsed = 10 + (row >= rows / 2 && row < rows / 2 + 64 ? 2000 : row % 3)
    printf "%d,%d,home,200,OK,Thread Group 1-%d,text,true,,1432,118,64,64,http://shop.example/home,%d,0,0\n", at[thread], elapsed, thread + 1, elapsed
    at[thread] += elapsed
  }
}' >"$file"
"$downbeat" --version >/dev/null
from=$(date +%s.%N)
JAVA_TOOL_OPTIONS="-Xmx${HEAP:-120m} -XX:+UseSerialGC" "$downbeat" audit "$file" >"$work/out" 2>/dev/null &
pid=$!
most=0
while kill -0 "$pid" 2>/dev/null; do
  now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
  [ "${now:-0}" -le "$most" ] || most=$now
  sleep 0.1
done
wait "$pid" || true
head -n 1 "$work/out"
echo "$(date +%s.%N) $from $rows $most" | awk '{ printf "%d rows: %.1f s, %.0f MB\n", $3, $1 - $2, $4 / 1024 }'
