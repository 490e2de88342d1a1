#!/bin/bash
# One request in a hundred is slow (200 ms, others 1 ms). Compares 100 connections with one, HTTP/1.1 with 100 streams of HTTP/2.
# usage: streams-vs-connections.sh [SECONDS]     (for each of the four; default 30)
set -e
cd "$(dirname "$0")/../.."
downbeat=${DOWNBEAT:-./downbeat}
port=18599
$downbeat serve --port $port --delay bimodal:1ms,200ms,1% > /dev/null &
server=$!
trap 'kill $server' EXIT
sleep 3
$downbeat run http://127.0.0.1:$port/ -R 200 -d "${1:-30}s" --vary connections=100,1 --vary http=1.1,2 --seed 7 || true
