#!/bin/sh
# Runs the tutorial of docs/why.md: measures and watches a service with one fault at a time and prints Downbeat's findings.
# Needs a JDK and a free port.
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

watched() { # title, fault of the shop, kind of watch, command prefix...: one run against a new shop
  title=$1
  fault=$2
  watch=$3
  shift 3
  echo "== $title"
  "$@" java -Xmx160m -XX:+UseSerialGC -Xlog:gc*:file="$work/gc-$fault.log" -cp "$work" Shop "$port" "$fault" &
  shop=$!
  sleep 1
  [ "$title" != "without a processor" ] || busy
  "$here/downbeat" run "http://127.0.0.1:$port/order" -R 300 -d 20s --warm-up 3s --seed 7 -c 32 --slo 'p99<50ms' -q \
    --watch "$watch:$shop" -o "$work/$fault.downbeat" -o "$work/$fault.html" || [ $? -eq 99 ] || [ $? -eq 98 ]
  kill "$shop" $neighbours
  wait "$shop" 2>/dev/null || true
  neighbours=
}

busy() { # two programs that compete for the shop's core
  for _ in 1 2; do
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
