#!/usr/bin/env bash
# Asks Maven Central for newer versions of libraries and plugins. Fails on each that release/dependencies.txt does not
# excuse with a reason. Takes a minute and needs the network. Dependabot reports known vulnerabilities.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
out=$here/release/target/dependencies
accepted=$here/release/dependencies.txt
mkdir -p "$out"
plugin=org.codehaus.mojo:versions-maven-plugin:2.23.0
# Pre-releases do not count as newer.
ignore='(?i).*[.-](alpha|beta|b|m|rc|cr|ea|pr|preview|milestone)[.-]?\d*.*'
(cd "$here" && mvn -B -Pfast,release "$plugin:display-property-updates" "-Dmaven.version.ignore=$ignore" \
  -DprocessParent=true -N) >"$out/properties.log" 2>&1 </dev/null \
  || { tail -n 20 "$out/properties.log" >&2; echo "dependencies: Maven failed (log: $out/properties.log)" >&2; exit 1; }
sed 's/\x1b\[[0-9;]*m//g' "$out/properties.log" | awk '/->/ { gsub(/\$\{|\}/, ""); sub(/^\[INFO\] +/, ""); print $1, $(NF - 2), $NF }' \
  | LC_ALL=C sort -u >"$out/newer.txt"
(cd "$here" && mvn -B -Prelease "$plugin:display-plugin-updates" "-Dmaven.version.ignore=$ignore" -N) >"$out/plugins.log" 2>&1 </dev/null || true
sed 's/\x1b\[[0-9;]*m//g' "$out/plugins.log" | awk '/->/ && $2 ~ /[:-]/ { sub(/^\[INFO\] +/, ""); print $1, $(NF - 2), $NF }' \
  | LC_ALL=C sort -u >>"$out/newer.txt"
wrong=0
while read -r name used newest; do
  reason=$(sed -n "s|^${name}[[:space:]][[:space:]]*||p" "$accepted" | head -n 1)
  if [ -n "$reason" ]; then printf 'accepted %s %s (newest %s): %s\n' "$name" "$used" "$newest" "$reason"
  else printf 'OLD      %s %s: the newest is %s\n' "$name" "$used" "$newest"; wrong=$((wrong + 1)); fi
done <"$out/newer.txt"
# Lists excuses that a current version no longer needs.
while read -r name _; do
  case $name in '' | '#'*) continue ;; esac
  grep -q "^$name " "$out/newer.txt" || printf 'unneeded %s: it is current\n' "$name"
done <"$accepted"
echo "$(wc -l <"$out/newer.txt") outdated, $wrong of them without a reason (release/dependencies.txt)"
[ "$wrong" -eq 0 ]
