#!/usr/bin/env bash
# Unpacks the bundle that a release would upload to Maven Central, and holds it against what that asks for; then builds a team's
# project from it alone, and everything a second time, elsewhere and by two threads without what checks the sources, to see that
# both are equal. Builds what is committed, in clones of its own, and puts nothing into the local repository. Uploads nothing.
#   release/check.sh [--version 0.1.0] [--out DIR] [--once | --again]    (--once: without the second build; --again: it alone)
set -euo pipefail
here=$(CDPATH= cd -- "$(dirname "$0")/.." && pwd -P)
version=0.1.0 out=$here/release/target/check once='' again=''
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --once) once=1; shift ;;
    --again) again=1; shift ;;
    *) echo "check: unknown option $1; known are --version, --out, --once and --again" >&2; exit 2 ;;
  esac
done
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
wrong=0 right=0
passed() { printf 'ok      %s\n' "$1"; right=$((right + 1)); }
failed() { printf 'MISSING %s\n' "$1"; wrong=$((wrong + 1)); }
check() { if "${@:2}" >/dev/null 2>&1; then passed "$1"; else failed "$1"; fi; }

# A key of its own, which ends with this script: a release is signed with the maintainer's. In /tmp: the agent's socket needs a
# short name.
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
end_keys() { gpgconf --kill all 2>/dev/null || true; rm -rf "$GNUPGHOME"; }
trap end_keys EXIT
command -v gpg >/dev/null || { echo "check: gpg is needed to sign, and was not found" >&2; exit 1; }
gpg --batch --quiet --passphrase '' --quick-generate-key 'Downbeat rehearsal <nobody@downbeat.dev>' rsa2048 sign never 2>/dev/null

deploy() { # folder, where to clone to, further words for Maven
  local folder=$1 sources=$2
  shift 2
  rm -rf "$folder" "$sources"
  git clone -q "$here" "$sources"
  (cd "$sources" && mvn -B -q -Drevision="$version" -Dmaven.test.skip=true -Dmaven.install.skip=true "$@" \
    -DaltDeploymentRepository="check::file:$folder" deploy) >"$out/build.log" 2>&1 </dev/null \
    || { tail -n 30 "$out/build.log" >&2; echo "check: the build failed (log: $out/build.log)" >&2; exit 1; }
}
if [ -z "$again" ]; then
  # the plugin that signs is not made for two at a time, and Central's makes a bundle in the place of a folder
  deploy "$out/first" "$out/sources" -Prelease,central -DskipUpload -T1 -Dgpg.keyname=nobody@downbeat.dev
  unzip -q "$(find "$out/sources" -path '*/central-publishing/central-bundle.zip')" -d "$out/first"

  published="downbeat downbeat-analysis downbeat-bom downbeat-boringssl downbeat-cli downbeat-core downbeat-exec downbeat-gatling downbeat-h2 downbeat-jdbc
downbeat-http downbeat-jmh downbeat-junit downbeat-loopback downbeat-micrometer downbeat-netty downbeat-opentelemetry downbeat-parent
downbeat-report downbeat-s3 downbeat-spring-boot downbeat-sqs downbeat-sqs-demo downbeat-watch"
  there=$(cd "$out/first/dev/downbeat" && for each in */; do printf '%s\n' "${each%/}"; done)
  same_words() { diff <(printf '%s\n' $1 | LC_ALL=C sort) <(printf '%s\n' $2 | LC_ALL=C sort); }
  check "published is what is meant to be: $(echo "$there" | wc -l) artifacts" same_words "$there" "$published"

  has_element() { grep -q "<$2[ >]" "$1"; }
  in_jar() { local jar=$1 name; shift; for name in "$@"; do unzip -Z1 "$jar" "$name" || return 1; done; }
  summed() { # file: both checksums are there and right
    [ "$(cat "$1.sha1")" = "$(sha1sum <"$1" | cut -d ' ' -f 1)" ] && [ "$(cat "$1.md5")" = "$(md5sum <"$1" | cut -d ' ' -f 1)" ]
  }
  # its own version is what a POM may leave to whoever reads it, as the BOM does
  resolved() { ! grep '\${' "$1" | grep -qv '\${project.version}'; }
  for artifact in $published; do
    base=$out/first/dev/downbeat/$artifact/$version/$artifact-$version
    for element in name description url licenses developers scm; do
      check "$artifact: <$element>" has_element "$base.pom" "$element"
    done
    # the parent's holds the build itself
    [ "$artifact" = downbeat-parent ] || check "$artifact: no variable is left in the POM" resolved "$base.pom"
    files=$base.pom
    if grep -q '<packaging>pom</packaging>' "$base.pom"; then
      [ ! -e "$base.jar" ] || failed "$artifact: a POM has no jar"
    else
      files="$files $base.jar $base-sources.jar $base-javadoc.jar $base-cyclonedx.json"
      check "$artifact: LICENSE and NOTICE in the jar" in_jar "$base.jar" META-INF/LICENSE META-INF/NOTICE
      check "$artifact: sources are in the jar of sources" in_jar "$base-sources.jar" '*.java'
      check "$artifact: pages are in the jar of Javadoc" in_jar "$base-javadoc.jar" index.html
    fi
    [ "$artifact" != downbeat-cli ] || files="$files $base-all.jar"
    for file in $files; do
      name=$(basename "$file")
      check "$name: there, not empty" [ -s "$file" ]
      check "$name: checksums" summed "$file"
      check "$name: signature" gpg --batch --quiet --verify "$file.asc" "$file"
    done
  done
  no_tests() { [ -z "$(find "$out/first" -name '*tests.jar')" ]; }
  check "no jar of tests" no_tests

  # The one jar that runs alone, and the licences of what is in it.
  runnable=$out/first/dev/downbeat/downbeat-cli/$version/downbeat-cli-$version-all.jar
  check "the runnable jar says its version" bash -c "java -jar '$runnable' --version | grep -qx 'downbeat $version'"
  for jar in "$runnable" "$out"/sources/cli/target/downbeat-*.jar; do
    case $jar in *-"$version".jar | *-sources.jar | *-javadoc.jar) continue ;; esac
    check "$(basename "$jar"): LICENSE, NOTICE and the licences of others" in_jar "$jar" \
      META-INF/LICENSE META-INF/NOTICE META-INF/THIRD-PARTY-LICENSES
  done

  # A team's project: nothing of ours but from the folder, in a repository of its own that shares only what is foreign.
  own=$(cd "$here" && mvn -B -q help:evaluate -Dexpression=settings.localRepository -DforceStdout | tail -n 1 | sed 's/\x1b\[[0-9;]*m//g')
  rm -rf "$out/repository" "$out/consumer"
  mkdir -p "$out/repository/dev" "$out/consumer"
  for entry in "$own"/*; do [ "$(basename "$entry")" = dev ] || ln -s "$entry" "$out/repository/"; done
  cp -r "$here/release/consumer/." "$out/consumer"
  cat >"$out/settings.xml" <<XML
<settings><profiles><profile><id>check</id><repositories><repository><id>check</id><url>file:$out/first</url></repository></repositories>
</profile></profiles><activeProfiles><activeProfile>check</activeProfile></activeProfiles></settings>
XML
  # Whether this machine is quiet enough for an answer is not what is asked: the load test has to have been run.
  consumer() {
    (cd "$out/consumer" && mvn -B -s "$out/settings.xml" -Dmaven.repo.local="$out/repository" -Ddownbeat.version="$version" \
      -Ddownbeat.undecided=aborts verify && [ -s "$(find target/downbeat -name '*.html' | head -n 1)" ]) \
      >"$out/consumer.log" 2>&1 </dev/null
  }
  check "a team's project builds from the folder alone, and its load test runs (log: $out/consumer.log)" consumer
  check "it has the library from the folder" [ -s "$out/repository/dev/downbeat/downbeat/$version/downbeat-$version.jar" ]

  # Each artifact as somebody's only dependency; then the command line by its main class and its dependencies, which is how JBang
  # and Maven's plugins start it.
  rm -rf "$out/alone"
  mkdir -p "$out/alone"
  jars=$(cd "$out/first/dev/downbeat" && for jar in */"$version"/*-"$version".jar; do echo "${jar%%/*}"; done)
  alone_pom() { # name, packaging, further elements
    printf '<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>%s</artifactId><version>1</version>\n' "$1"
    printf '<packaging>%s</packaging>%s</project>\n' "$2" "$3"
  }
  for artifact in $jars; do
    mkdir "$out/alone/$artifact"
    alone_pom "only-$artifact" jar "<dependencies><dependency><groupId>dev.downbeat</groupId><artifactId>$artifact</artifactId>
<version>$version</version></dependency></dependencies>" >"$out/alone/$artifact/pom.xml"
  done
  alone_pom all pom "<modules>$(printf '<module>%s</module>' $jars)</modules>" >"$out/alone/pom.xml"
  alone() {
    (cd "$out/alone" && mvn -B -q -s "$out/settings.xml" -Dmaven.repo.local="$out/repository" -DincludeScope=runtime \
      -Dmdep.outputFile=target/classpath org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath) \
      >"$out/alone.log" 2>&1 </dev/null
  }
  check "each of the $(echo "$jars" | wc -l) jars as the only dependency: all it needs is found (log: $out/alone.log)" alone
  plain=$out/first/dev/downbeat/downbeat-cli/$version/downbeat-cli-$version.jar
  main_class() { unzip -p "$plain" META-INF/MANIFEST.MF | tr -d '\r' | sed -n 's/^Main-Class: //p'; }
  by_class() { # words; the demo stalls, so that its objective is missed or the time too short
    local code=0
    java -cp "$(cat "$out/alone/downbeat-cli/target/classpath")" "$(main_class)" "$@" >"$out/by-class.out" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 99 ]
  }
  check "the command line, by its main class and dependencies, measures" by_class run -d 1s -R 50 -q --accept-unsound
fi

if [ -z "$once" ]; then
  deploy "$out/second" "$out/again/sources" -Prelease,fast
  sums() { (cd "$1" && find . -name '*.jar' -o -name '*.pom' -o -name '*-cyclonedx.json' | LC_ALL=C sort | xargs sha256sum); }
  sums "$out/first" >"$out/first.sha256"
  sums "$out/second" >"$out/second.sha256"
  check "two builds in two folders are equal: $(wc -l <"$out/first.sha256") files by SHA-256" cmp "$out/first.sha256" "$out/second.sha256"
fi
echo "$right as they should be, $wrong missing"
[ "$wrong" -eq 0 ]
