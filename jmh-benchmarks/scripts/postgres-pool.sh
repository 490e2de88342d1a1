#!/bin/sh
# HikariCP over a real PostgreSQL: the pool-sizing benchmark with queries that sleep 10 ms, exponentially distributed.
# usage: jmh-benchmarks/scripts/postgres-pool.sh OUT.json [JMH_OPTION...]
# Needs Debian's postgresql (initdb and postgres; their directory may be said by PG_BIN) and, once, the driver in the jar:
#   mvn -q -Ppostgres -pl jmh-benchmarks -am -DskipTests package
# The database is a new one in a directory of its own, on 127.0.0.1, and is removed in the end. Not part of any build.
set -eu
[ $# -ge 1 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd -P)
jar=$here/../target/benchmarks.jar
unzip -l "$jar" 2> /dev/null | grep -q org/postgresql/Driver.class || {
    echo "build first: mvn -q -Ppostgres -pl jmh-benchmarks -am -DskipTests package" >&2
    exit 1
}
bin=${PG_BIN:-$(ls -d /usr/lib/postgresql/*/bin | tail -1)}
port=${PG_PORT:-54329}
out=$1
shift
[ $# -gt 0 ] || set -- -p connections=5,6,7,8,16,64 -p runMillis=3000 -f 1 -wi 1 -i 5
home=$(mktemp -d)
as=
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
    chown postgres "$home"
    as="runuser -u postgres --"
fi
new=$home/new.json
stop() {
    $as "$bin/pg_ctl" -D "$home/data" -m immediate stop > /dev/null 2>&1 || true
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 1' INT TERM
$as "$bin/initdb" -D "$home/data" -U postgres -A trust > /dev/null
$as "$bin/pg_ctl" -D "$home/data" -w -l "$home/log" -o "-c listen_addresses=127.0.0.1 -c port=$port \
    -c unix_socket_directories='' -c max_connections=100 -c fsync=off" start > /dev/null
before=$(cut -d' ' -f1 /proc/loadavg)
DOWNBEAT_POSTGRES="jdbc:postgresql://127.0.0.1:$port/postgres?user=postgres" \
    java -jar "$jar" PoolSizingBenchmark.run -p client=POSTGRES "$@" -foe true \
    -prof dev.downbeat.jmh.DownbeatProfiler -prof dev.downbeat.bench.ProcessorTimeProfiler -rf json -rff "$new"
python3 "$here/keep.py" "$new" "$out" "$before" "$(cut -d' ' -f1 /proc/loadavg)"
