#!/bin/sh
# Does the tutorial of docs/why.md: a service with one thing wrong at a time, measured and watched, and what Downbeat says of it.
# Needs a JDK, and a port that is free.
# usage: docs/why.sh [PORT]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd -P)
port=${1:-8091}
work=$(mktemp -d)
shop=
neighbours=
trap 'kill $shop $neighbours 2>/dev/null || true; rm -rf "$work"' EXIT
export DOWNBEAT_LAST=off NO_COLOR=1
javac -d "$work" "$here/docs/why/Shop.java"

# watched LETTER WRONG JVM-OPTIONS...: one run against a shop of its own; the words before -- go to the run.
watched() {
  title=$1
  wrong=$2
  watch=$3
  shift 3
  echo "== $title"
  "$@" java -Xmx160m -XX:+UseSerialGC -Xlog:gc*:file="$work/gc-$wrong.log" -cp "$work" Shop "$port" "$wrong" &
  shop=$!
  sleep 1
  [ "$title" != "without a processor" ] || busy
  "$here/downbeat" run "http://127.0.0.1:$port/order" -R 300 -d 20s --warm-up 3s --seed 7 -c 32 --slo 'p99<50ms' -q \
    --watch "$watch:$shop" -o "$work/$wrong.downbeat" -o "$work/$wrong.html" || [ $? -eq 99 ] || [ $? -eq 98 ]
  kill "$shop" $neighbours
  wait "$shop" 2>/dev/null || true
  neighbours=
}

# Two programs that want the processor of the shop.
busy() {
  for i in 1 2; do
    taskset -c 0 sh -c 'while :; do :; done' &
    neighbours="$neighbours $!"
  done
}

watched "leak" leak jvm
"$here/downbeat" explain "$work/leak.downbeat" --gc-log "$work/gc-leak.log" || true
watched "lock" lock jvm
watched "pool" pool jvm
watched "without a processor" calm pid taskset -c 0
watched "nothing wrong" calm jvm
