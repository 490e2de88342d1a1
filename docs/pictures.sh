#!/bin/sh
# Regenerates the pictures of the documentation: docs/report-light.png and docs/report-dark.png from a 20 s run against the
# embedded service, and the screen in README.md from a 10 s run.
# Needs chromium and a quiet machine, because an unsound run makes no example.
# usage: docs/pictures.sh
#        docs/pictures.sh pages FOLDER    screenshots of all page types, 360 to 1440 px wide, light and dark, with an index.html
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
if [ "${1:-}" = pages ]; then
  mkdir -p "$2"
  folder=$(cd "$2" && pwd -P)
  cd "$here/.."
  mvn -q -pl src-test/acceptance -am -Dtest='ReportInBrowserTest#no_page*' -Dsurefire.failIfNoSpecifiedTests=false \
    -Ddownbeat.replications=1 -Ddownbeat.pictures="$folder" verify
  cd "$folder"
  for page in *-1440-light.png; do
    name=${page%-1440-light.png}
    echo "<h2>$name</h2>"
    for width in 360 800 1440; do
      echo "<a href='$name-$width-light.png'><img height=600 src='$name-$width-light.png'></a>"
      echo "<a href='$name-$width-dark.png'><img height=600 src='$name-$width-dark.png'></a>"
    done
  done >index.html
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOWNBEAT_LAST=off NO_COLOR=1
"$here/../downbeat" run -d 20s --seed 7 --slo 'p99<50ms' --slo 'p90<10ms' -q -o "$work/report.html" >/dev/null || [ $? -eq 99 ]
picture() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/$1" --window-size=1180,1500 \
    --blink-settings=preferredColorScheme="$2" --screenshot="$here/report-$1.png" "file://$work/report.html" >/dev/null 2>&1
}
picture dark 0
picture light 1

"$here/../downbeat" run --seed 7 -q >"$work/screen" || [ $? -eq 99 ]
if grep -q "may be Downbeat's\|^  Downbeat " "$work/screen"; then
  echo "the machine was busy during the run for README.md: try again on a quieter one" >&2
  exit 1
fi
sed -e '/^  what happened/,$d' -e '/^  details /d' "$work/screen" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$work/sample"
awk -v sample="$work/sample" '
  /^measures an embedded service/ { wanted = 1 }
  /^```$/ && wanted == 1 { print; while ((getline line <sample) > 0) print line; wanted = 2; next }
  wanted == 2 { if (/^```$/) { wanted = 0; print } ; next }
  { print }' "$here/../README.md" >"$work/readme"
cat "$work/readme" >"$here/../README.md"
ls -l "$here"/report-*.png
