#!/usr/bin/env bash
# Tests the packages of 'mvn -Pdist package'. Unpacks and runs each archive without Maven, and without another Java if it has
# its own. Installs, runs and removes the Debian package in a folder. Runs the program of the container image.
#   release/packages.sh [--version 0.1.0] [--built release/dist/target]
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
version=0.1.0 built=$here/release/dist/target
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --built) built=$2; shift 2 ;;
    *) echo "packages: unknown option $1; known are --version and --built" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
check() { if "${@:2}" >"$work/log" 2>&1; then printf 'ok      %s\n' "$1"; else printf 'WRONG   %s\n' "$1"; head -n 5 "$work/log"; wrong=$((wrong + 1)); fi; }
note() { printf '        %s\n' "$1"; }

# PATH folders with only the tools that the launcher calls: no Maven, no git, and Java only in the second one.
bare=$work/bare
mkdir -p "$bare" "$work/home"
for tool in sh bash dirname readlink cat mkdir rm ls grep find head tail tr sed env true; do
  ln -s "$(command -v "$tool")" "$bare/$tool"
done
with_java=$work/with-java
cp -a "$bare" "$with_java"
ln -s "$(command -v java)" "$with_java/java"
on() { env -i HOME="$work/home" PATH="$1" "${@:2}"; }
measured() { # path, launcher: a short run against the demo, whose stalls may miss its objective (exit code 99)
  local code=0
  on "$1" "$2" run -d 1s -R 50 -q --accept-unsound --json >"$work/run.json" 2>"$work/run.err" || code=$?
  { [ "$code" -eq 0 ] || [ "$code" -eq 99 ]; } && grep -q '"adds_up": true' "$work/run.json"
}
prints_version() { [ "$(on "$1" "$2" --version)" = "downbeat $version" ]; }
millis() { date +%s%3N; }

for archive in "$built/downbeat-$version.tar.gz" "$built/downbeat-$version.zip" "$built/downbeat-$version"-*.tar.gz; do
  name=$(basename "$archive")
  case $name in downbeat-"$version".*) path=$with_java ;; *) path=$bare ;; esac
  from=$(millis)
  mkdir -p "$work/unpacked"
  case $archive in *.zip) unzip -q "$archive" -d "$work/unpacked" ;; *) tar -xzf "$archive" -C "$work/unpacked" ;; esac
  home=$work/unpacked/downbeat-$version
  unpacked=$(millis)
  check "$name: prints its version" prints_version "$path" "$home/bin/downbeat"
  begun=$(millis)
  check "$name: measures" measured "$path" "$home/bin/downbeat"
  note "unpacked in $((unpacked - from)) ms; a run of 1 s took $(($(millis) - begun)) ms"
  ln -sfn "$home/bin/downbeat" "$work/link"
  check "$name: through a symbolic link" prints_version "$path" "$work/link"
  check "$name: a queue, by an optional jar" on "$path" "$home/bin/downbeat" run sqs:demo -d 1s -R 20 -q --accept-unsound --slo 'errors<1%'
  check "$name: a database, by an optional jar" on "$path" "$home/bin/downbeat" run jdbc:demo -d 1s -R 20 -q --accept-unsound --slo 'errors<1%'
  check "$name: ciphers of BoringSSL, by its jar" on "$path" sh -c \
    "'$home/bin/downbeat' run https://127.0.0.1:1/ -k --tls-engine boringssl -d 1s -q 2>&1 | grep -qi 'refused'"
  pages=$(find "$home/share/man/man1" -name 'downbeat*.1' -size +0 | wc -l)
  check "$name: $pages manual pages" [ "$pages" -ge 16 ]
  check "$name: completions" bash -n "$home/share/completions/downbeat.bash"
  check "$name: licences" [ -s "$home/LICENSE" -a -s "$home/NOTICE" -a -s "$home/THIRD-PARTY.txt" -a -s "$home/THIRD-PARTY-LICENSES" ]
  case $name in downbeat-"$version".*)
    check "$name: the Windows launcher has CRLF line ends" bash -c "! grep -qv $'\r\$' '$home/bin/downbeat.cmd'" ;;
  esac
  rm -rf "$work/unpacked"
done

package=$built/downbeat_${version}_all.deb
if command -v dpkg >/dev/null; then
  root=$work/root
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
  : >"$root/var/lib/dpkg/status"
  : >"$root/var/lib/dpkg/available"
  as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else fakeroot "$@"; fi; }
  # The folder has no package database with a Java, hence --force-depends; apt checks the dependency below.
  to_root() { as_root dpkg --root="$root" --log=/dev/null --force-depends --force-not-root "$@"; }
  check "$(basename "$package"): installed" to_root -i "$package"
  check "$(basename "$package"): prints its version" prints_version "$with_java" "$root/usr/bin/downbeat"
  check "$(basename "$package"): measures" measured "$with_java" "$root/usr/bin/downbeat"
  check "$(basename "$package"): a manual page" bash -c "zcat '$root/usr/share/man/man1/downbeat-run.1.gz' | grep -q '^\.TH'"
  check "$(basename "$package"): a copyright file" [ -s "$root/usr/share/doc/downbeat/copyright" ]
  check "$(basename "$package"): removed" to_root -r downbeat
  check "$(basename "$package"): leaves nothing behind" bash -c "[ -z \"\$(find '$root/usr' -name '*downbeat*' 2>/dev/null)\" ]"
  if command -v lintian >/dev/null; then check "$(basename "$package"): lintian" lintian --allow-root --fail-on error,warning "$package"; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    check "$(basename "$package"): its dependencies can be installed here" apt-get install --simulate --no-install-recommends "$package"
  fi
else
  echo "NOT SHOWN the Debian package: dpkg is missing"
fi

image=$work/image
mkdir -p "$image"
check "jib-image.tar: unpacked" python3 "$here/release/unpack-image.py" "$built/jib-image.tar" "$image"
if [ -s "$image/config.json" ]; then
  config() { grep -q "$1" "$image/config.json"; }
  check "jib-image.tar: not root" config '"User": "65532"'
  check "jib-image.tar: labels" config "\"org.opencontainers.image.version\": \"$version\""
  check "jib-image.tar: contains an SBOM and licences" [ -s "$image/root/opt/downbeat/sbom.json" -a -s "$image/root/opt/downbeat/LICENSE" ]
  own_java() { # the entry point of the image, run from the unpacked folder
    on "$bare" "$image/root/opt/java/bin/java" "@$image/root/opt/downbeat/jvm.options" -jar "$image/root/opt/downbeat/downbeat.jar" "$@"
  }
  check "jib-image.tar: its own Java prints the version" bash -c "[ \"\$1\" = 'downbeat $version' ]" - "$(own_java --version)"
  image_run() { local code=0; own_java run -d 1s -R 50 -q --accept-unsound || code=$?; [ "$code" -eq 0 ] || [ "$code" -eq 99 ]; }
  check "jib-image.tar: measures" image_run
  check "jib-image.tar: a database" own_java run jdbc:demo -d 1s -R 20 -q --accept-unsound --slo 'errors<1%'
fi
[ "$wrong" -eq 0 ] && echo "all packages passed"
exit "$((wrong > 0))"
