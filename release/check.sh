#!/usr/bin/env bash
# Checks the bundle that a release would upload to Maven Central against Central's requirements, and builds a user's project
# from it alone. Then builds everything again in another folder, with two threads and no source checks, and compares the files.
# Builds clones of the last commit, leaves the local Maven repository as it is, and uploads nothing.
#   release/check.sh [--version 0.1.0] [--out DIR] [--once | --again]    (--once: skips the second build; --again: only that)
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
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

# A temporary key; a release is signed with the maintainer's. It is in /tmp because the agent's socket needs a short path.
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
remove_key() { gpgconf --kill all 2>/dev/null || true; rm -rf "$GNUPGHOME"; }
trap remove_key EXIT
command -v gpg >/dev/null || { echo "check: signing needs gpg, which was not found" >&2; exit 1; }
gpg --batch --quiet --passphrase '' --quick-generate-key 'Downbeat rehearsal <nobody@downbeat.dev>' rsa2048 sign never 2>/dev/null

deploy() { # repository folder, clone folder, Maven arguments...
  local folder=$1 sources=$2
  shift 2
  rm -rf "$folder" "$sources"
  git clone -q "$here" "$sources"
  (cd "$sources" && mvn -B -q -Drevision="$version" -Dmaven.test.skip=true -Dmaven.install.skip=true "$@" \
    -DaltDeploymentRepository="check::file:$folder" deploy) >"$out/build.log" 2>&1 </dev/null \
    || { tail -n 30 "$out/build.log" >&2; echo "check: the build failed (log: $out/build.log)" >&2; exit 1; }
}
if [ -z "$again" ]; then
  # -T1: the signing plugin is not thread-safe. Central's plugin writes a bundle instead of a repository folder.
  deploy "$out/first" "$out/sources" -Prelease,central -DskipUpload -T1 -Dgpg.keyname=nobody@downbeat.dev
  unzip -q "$(find "$out/sources" -path '*/central-publishing/central-bundle.zip')" -d "$out/first"

  published="downbeat downbeat-analysis downbeat-bom downbeat-boringssl downbeat-cli downbeat-core downbeat-exec downbeat-gatling downbeat-h2 downbeat-jdbc
downbeat-http downbeat-jmh downbeat-junit downbeat-loopback downbeat-micrometer downbeat-netty downbeat-opentelemetry downbeat-parent
downbeat-report downbeat-s3 downbeat-spring-boot downbeat-sqs downbeat-sqs-demo downbeat-watch"
  deployed=$(cd "$out/first/dev/downbeat" && for each in */; do printf '%s\n' "${each%/}"; done)
  same_words() { diff <(printf '%s\n' $1 | LC_ALL=C sort) <(printf '%s\n' $2 | LC_ALL=C sort); }
  check "exactly the intended artifacts are published: $(echo "$deployed" | wc -l)" same_words "$deployed" "$published"

  has_element() { grep -q "<$2[ >]" "$1"; }
  in_jar() { local jar=$1 name; shift; for name in "$@"; do unzip -Z1 "$jar" "$name" || return 1; done; }
  has_checksums() { # file
    [ "$(cat "$1.sha1")" = "$(sha1sum <"$1" | cut -d ' ' -f 1)" ] && [ "$(cat "$1.md5")" = "$(md5sum <"$1" | cut -d ' ' -f 1)" ]
  }
  # A published POM may use its own version as a variable, as the BOM does, but no other variable.
  resolved() { ! grep '\${' "$1" | grep -qv '\${project.version}'; }
  for artifact in $published; do
    base=$out/first/dev/downbeat/$artifact/$version/$artifact-$version
    for element in name description url licenses developers scm; do
      check "$artifact: <$element>" has_element "$base.pom" "$element"
    done
    # The parent POM contains the build with its variables.
    [ "$artifact" = downbeat-parent ] || check "$artifact: no unresolved variable in the POM" resolved "$base.pom"
    files=$base.pom
    if grep -q '<packaging>pom</packaging>' "$base.pom"; then
      [ ! -e "$base.jar" ] || failed "$artifact: a POM has no jar"
    else
      files="$files $base.jar $base-sources.jar $base-javadoc.jar $base-cyclonedx.json"
      check "$artifact: LICENSE and NOTICE in the jar" in_jar "$base.jar" META-INF/LICENSE META-INF/NOTICE
      check "$artifact: Java files in the sources jar" in_jar "$base-sources.jar" '*.java'
      check "$artifact: pages in the Javadoc jar" in_jar "$base-javadoc.jar" index.html
    fi
    [ "$artifact" != downbeat-cli ] || files="$files $base-all.jar"
    for file in $files; do
      name=$(basename "$file")
      check "$name: present, not empty" [ -s "$file" ]
      check "$name: checksums" has_checksums "$file"
      check "$name: signature" gpg --batch --quiet --verify "$file.asc" "$file"
    done
  done
  no_tests() { [ -z "$(find "$out/first" -name '*tests.jar')" ]; }
  check "no test jar" no_tests

  runnable=$out/first/dev/downbeat/downbeat-cli/$version/downbeat-cli-$version-all.jar
  check "the runnable jar prints its version" bash -c "java -jar '$runnable' --version | grep -qx 'downbeat $version'"
  for jar in "$runnable" "$out"/sources/cli/target/downbeat-*.jar; do
    case $jar in *-"$version".jar | *-sources.jar | *-javadoc.jar) continue ;; esac
    check "$(basename "$jar"): LICENSE, NOTICE and third-party licences" in_jar "$jar" \
      META-INF/LICENSE META-INF/NOTICE META-INF/THIRD-PARTY-LICENSES
  done

  # A user's project: its local repository links everything of others, so that Downbeat can only come from the folder.
  own=$(cd "$here" && mvn -B -q help:evaluate -Dexpression=settings.localRepository -DforceStdout | tail -n 1 | sed 's/\x1b\[[0-9;]*m//g')
  rm -rf "$out/repository" "$out/consumer"
  mkdir -p "$out/repository/dev" "$out/consumer"
  for entry in "$own"/*; do [ "$(basename "$entry")" = dev ] || ln -s "$entry" "$out/repository/"; done
  cp -r "$here/release/consumer/." "$out/consumer"
  cat >"$out/settings.xml" <<XML
<settings><profiles><profile><id>check</id><repositories><repository><id>check</id><url>file:$out/first</url></repository></repositories>
</profile></profiles><activeProfiles><activeProfile>check</activeProfile></activeProfiles></settings>
XML
  # The load test only has to run; a busy machine may leave it undecided.
  consumer() {
    (cd "$out/consumer" && mvn -B -s "$out/settings.xml" -Dmaven.repo.local="$out/repository" -Ddownbeat.version="$version" \
      -Ddownbeat.undecided=aborts verify && [ -s "$(find target/downbeat -name '*.html' | head -n 1)" ]) \
      >"$out/consumer.log" 2>&1 </dev/null
  }
  check "a user's project builds from the folder alone, and its load test runs (log: $out/consumer.log)" consumer
  check "its library comes from the folder" [ -s "$out/repository/dev/downbeat/downbeat/$version/downbeat-$version.jar" ]

  # Resolves each artifact as a project's only dependency. Then starts the command line by main class and class path, as JBang
  # and Maven plugins do.
  rm -rf "$out/alone"
  mkdir -p "$out/alone"
  jars=$(cd "$out/first/dev/downbeat" && for jar in */"$version"/*-"$version".jar; do echo "${jar%%/*}"; done)
  alone_pom() { # artifact ID, packaging, further elements
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
  check "each of the $(echo "$jars" | wc -l) jars resolves as the only dependency (log: $out/alone.log)" alone
  plain=$out/first/dev/downbeat/downbeat-cli/$version/downbeat-cli-$version.jar
  main_class() { unzip -p "$plain" META-INF/MANIFEST.MF | tr -d '\r' | sed -n 's/^Main-Class: //p'; }
  by_class() { # arguments; 99 is fine too: the demo stalls, so it may miss its objective
    local code=0
    java -cp "$(cat "$out/alone/downbeat-cli/target/classpath")" "$(main_class)" "$@" >"$out/by-class.out" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 99 ]
  }
  check "the command line measures when started by main class and dependencies" by_class run -d 1s -R 50 -q --accept-unsound
fi

if [ -z "$once" ]; then
  deploy "$out/second" "$out/again/sources" -Prelease,fast
  sums() { (cd "$1" && find . -name '*.jar' -o -name '*.pom' -o -name '*-cyclonedx.json' | LC_ALL=C sort | xargs sha256sum); }
  sums "$out/first" >"$out/first.sha256"
  sums "$out/second" >"$out/second.sha256"
  check "builds in two folders are identical: $(wc -l <"$out/first.sha256") files by SHA-256" cmp "$out/first.sha256" "$out/second.sha256"
fi
echo "$right passed, $wrong missing"
[ "$wrong" -eq 0 ]
