#!/usr/bin/env bash
# Deploys what a release would publish to a folder, and holds it against what Maven Central asks for; then builds a team's
# project from that folder alone, and everything a second time to see that both are equal. Uploads nothing.
#   release/check.sh [--version 0.1.0] [--out DIR] [--once]    (--once: without the second build)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd -P)
version=0.1.0 out=$here/release/target/check once=
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --once) once=1; shift ;;
    *) echo "check: unknown option $1; known are --version, --out and --once" >&2; exit 2 ;;
  esac
done
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
rm -rf "$out/first" "$out/second" "$out/keys" "$out/repository"
wrong=0
passed() { printf 'ok      %s\n' "$1"; }
failed() { printf 'MISSING %s\n' "$1"; wrong=$((wrong + 1)); }
check() { if "${@:2}"; then passed "$1"; else failed "$1"; fi; }

# A key of its own, which ends with this script: a release is signed with the maintainer's.
export GNUPGHOME=$out/keys
sign=
if command -v gpg >/dev/null; then
  mkdir -m 700 "$GNUPGHOME"
  gpg --batch --quiet --passphrase '' --quick-generate-key 'Downbeat rehearsal <nobody@downbeat.dev>' rsa2048 sign never 2>/dev/null
  sign='-Dgpg.keyname=nobody@downbeat.dev'
fi

deploy() { # folder
  (cd "$here" && mvn -B -q -Prelease -Drevision="$version" -Dmaven.test.skip=true $sign \
    -DaltDeploymentRepository="check::file:$1" clean deploy) >"$out/build.log" 2>&1 </dev/null \
    || { tail -n 30 "$out/build.log" >&2; echo "check: the build failed (log: $out/build.log)" >&2; exit 1; }
}
deploy "$out/first"

published="downbeat downbeat-analysis downbeat-bom downbeat-cli downbeat-core downbeat-gatling downbeat-http downbeat-jmh
downbeat-junit downbeat-loopback downbeat-micrometer downbeat-netty downbeat-opentelemetry downbeat-parent downbeat-report downbeat-s3 downbeat-spring-boot
downbeat-sqs downbeat-sqs-demo"
there=$(cd "$out/first/dev/downbeat" && for each in */; do printf '%s\n' "${each%/}"; done)
check "published is what is meant to be: $(echo "$there" | wc -l) artifacts" [ "$(echo $there)" = "$(echo $published)" ]

has_element() { grep -q "<$2>" "$1"; }
in_jar() { unzip -l "$1" | grep -q " $2\$"; }
for artifact in $published; do
  folder=$out/first/dev/downbeat/$artifact/$version
  base=$folder/$artifact-$version
  for element in name description url licenses developers scm; do
    check "$artifact: <$element>" has_element "$base.pom" "$element"
  done
  check "$artifact: no variable is left in the POM" [ "$(grep -c '\${' "$base.pom")" -eq "$(grep -c '\${project.version}\|\${maven\|\${java\|\${project.build' "$base.pom")" ]
  files=$base.pom
  if [ -f "$base.jar" ]; then
    files="$files $base.jar $base-sources.jar $base-javadoc.jar"
    check "$artifact: LICENSE and NOTICE in the jar" eval 'in_jar "$base.jar" META-INF/LICENSE && in_jar "$base.jar" META-INF/NOTICE'
    check "$artifact: CycloneDX SBOM" [ -s "$base-cyclonedx.json" ]
  fi
  for file in $files; do
    name=$(basename "$file")
    check "$name" [ -s "$file" ]
    check "$name: checksums" eval '[ -s "$file.sha1" ] && [ -s "$file.md5" ]'
    if [ -n "$sign" ]; then check "$name: signature" gpg --batch --quiet --verify "$file.asc" "$file"; fi
  done
done 2>/dev/null
if ls "$out"/first/dev/downbeat/*/"$version"/*-tests.jar >/dev/null 2>&1; then failed "no jar of tests"; else passed "no jar of tests"; fi

# A team's project: nothing of ours but from the folder, in a repository of its own that shares only what is foreign.
own=$(cd "$here" && mvn -B -q help:evaluate -Dexpression=settings.localRepository -DforceStdout | tail -n 1)
mkdir -p "$out/repository/dev"
for entry in "$own"/*; do [ "$(basename "$entry")" = dev ] || ln -s "$entry" "$out/repository/"; done
mkdir -p "$out/consumer" && cp -r "$here/release/consumer/." "$out/consumer"
cat >"$out/settings.xml" <<XML
<settings><profiles><profile><id>check</id><repositories><repository><id>check</id><url>file:$out/first</url></repository></repositories>
</profile></profiles><activeProfiles><activeProfile>check</activeProfile></activeProfiles></settings>
XML
consumer() {
  (cd "$out/consumer" && mvn -B -q -s "$out/settings.xml" -Dmaven.repo.local="$out/repository" -Ddownbeat.version="$version" \
    compile dependency:tree) >"$out/consumer.log" 2>&1 </dev/null
}
check "a team's project builds from the folder alone (log: $out/consumer.log)" consumer

if [ -z "$once" ]; then
  deploy "$out/second"
  sums() { (cd "$1" && find . -name '*.jar' -print0 | sort -z | xargs -0 sha256sum); }
  check "two builds are equal, jar for jar" [ "$(sums "$out/first")" = "$(sums "$out/second")" ]
fi
rm -rf "$GNUPGHOME"
if [ "$wrong" -gt 0 ]; then echo "$wrong missing"; exit 1; fi
echo "all there; upload with: mvn -Prelease,central -Drevision=$version -Dgpg.keyname=KEY deploy"
