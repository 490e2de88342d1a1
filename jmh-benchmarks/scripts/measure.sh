#!/bin/sh
# Runs groups of benchmarks with the settings of the committed results, less than eight minutes each.
# usage: jmh-benchmarks/scripts/measure.sh DIRECTORY GROUP...
#   groups: clients connection sqs metrics boringssl jdk-tls tls-amortised tls-amortised-1000 pool-ours pool-sdk pool-cold
#   pool-rule pool-theory shipped
# Replaces DIRECTORY/GROUP.json. Needs a quiet machine; each result includes the load average.
set -eu
[ $# -ge 2 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd -P)
jar=$here/../target/benchmarks.jar
[ -f "$jar" ] || { echo "build first: mvn -q -pl jmh-benchmarks -am -DskipTests package" >&2; exit 1; }
directory=$1
shift
mkdir -p "$directory"
new=$(mktemp)
trap 'rm -f "$new"' EXIT

load() { cut -d' ' -f1 /proc/loadavg; }

# Appends the results to the group's file at once, in case the next benchmark is interrupted.
jmh() { # pattern, option...
    before=$(load)
    java -jar "$jar" "$@" -foe true -prof dev.downbeat.jmh.DownbeatProfiler -prof dev.downbeat.bench.ProcessorTimeProfiler \
        -rf json -rff "$new"
    python3 "$here/keep.py" "$new" "$directory/$group.json" "$before" "$(load)"
}

amortised() { # PER_CONNECTION REQUESTS
    jmh TlsAmortised -p requestsPerConnection="$1" -p requests="$2" -f 1 -wi 2 -i 5
}

pool() { jmh PoolSizingBenchmark.run -p client="$1" -p connections=5,6,7,8,16,64 -p runMillis=3000 -f 1 -wi 1 -i 5; }

for group; do
    rm -f "$directory/$group.json"
    case $group in
    clients) jmh ClientLibraries -p rate=1000 -f 3 -wi 2 -w 2 -i 4 -r 2 ;;
    connection)
        jmh ReuseBenchmark -f 3 -wi 2 -i 5
        jmh LookupBenchmark -f 3 -wi 2 -i 5 ;;
    sqs)
        jmh SqsClientBenchmark -f 2 -wi 5 -w 500ms -i 5 -r 300ms -prof gc
        jmh SqsColdStart -f 6 ;;
    metrics)
        jmh MetricsLibraries -t 1 -f 2 -wi 2 -w 200ms -i 3 -r 200ms
        jmh MetricsLibraries -t 2 -f 2 -wi 2 -w 200ms -i 3 -r 200ms ;;
    # Each process repeats the handshake until it gets no faster, 20 s at most; 8 cases, 2 to 3 minutes.
    boringssl) jmh TlsHandshake -p engine=BORINGSSL -p warmUpMost=20 -f 1 -wi 1 -w 1 -i 5 -r 500ms ;;
    jdk-tls) jmh TlsHandshake -p engine=JDK -p warmUpMost=20 -f 1 -wi 1 -w 1 -i 5 -r 500ms ;;
    tls-amortised)
        amortised 1 500
        amortised 10 3000
        amortised 80 8000 ;;
    tls-amortised-1000) amortised 1000 10000 ;;
    pool-ours) pool OURS,APACHE5 ;;
    pool-sdk) pool SDK_NETTY ;;
    # For each number of busy connections, the pool size by the rule and two more than busy: 16 cases, 5 minutes.
    pool-rule)
        for sizes in 5:7,8 20:22,25 50:52,58 100:102,110; do
            jmh PoolSizingBenchmark.run -p client=OURS,APACHE5 -p busy="${sizes%:*}" -p connections="${sizes#*:}" \
                -p runMillis=4000 -f 1 -wi 1 -i 3
        done ;;
    pool-theory) jmh PoolSizingBenchmark.virtual -p connections=5,6,7,8,16,64 -p virtualMillis=3000 -f 1 -wi 1 -i 200 ;;
    shipped) # Downbeat's hot code with the launcher's flags, compiled by C1 alone and by C1 and C2
        flags=$(sed -n '/^-/p' "$here/../../cli/src/main/resources/dev/downbeat/cli/jvm.options" | grep -v Xlog | tr '\n' ' ')
        for compilers in -XX:TieredStopAtLevel=1 -XX:+TieredCompilation; do
            jmh 'bench.(RecorderBenchmark.completed|IntendedTimesBenchmark|RequestPathBenchmark)' -f 2 -wi 3 -i 3 \
                -jvmArgsAppend "$flags $compilers"
        done ;;
    *) echo "no group $group" >&2; exit 2 ;;
    esac
done
