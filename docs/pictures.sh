#!/bin/sh
# Makes the pictures of the documentation anew from a run of 20 s against the embedded service: docs/report-light.png and
# docs/report-dark.png. Needs chromium.
# usage: docs/pictures.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../downbeat" run -d 20s --seed 7 --slo 'p99<50ms' --slo 'p90<10ms' -q -o "$work/report.html" >/dev/null || [ $? -eq 99 ]
picture() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/$1" --window-size=1180,1500 \
    --blink-settings=preferredColorScheme="$2" --screenshot="$here/report-$1.png" "file://$work/report.html" >/dev/null 2>&1
}
picture dark 0
picture light 1
ls -l "$here"/report-*.png
