#!/bin/bash
# One slow request in a hundred (200 ms, others 1 ms): 100 connections or one, HTTP/1.1 or 100 streams, in turns.
# usage: streams-vs-connections.sh [SECONDS]     (each of the four gets so many; default 30)
set -e
cd "$(dirname "$0")/../.."
downbeat=${DOWNBEAT:-./downbeat}
port=18599
$downbeat serve --port $port --delay bimodal:1ms,200ms,1% > /dev/null &
server=$!
trap 'kill $server' EXIT
sleep 3
$downbeat run http://127.0.0.1:$port/ -R 200 -d "${1:-30}s" --vary connections=100,1 --vary http=1.1,2 --seed 7 || true
