#!/bin/sh
# Builds users' projects with Maven (Java, Kotlin), sbt (Scala) and Gradle (Java, Kotlin) against this Downbeat. Each has three
# simulations, of which the second misses an objective. The third must still run, the tool must report a failed test rather than a
# crash, and every simulation must have its results. No simulation is named, because Maven's plugin searches all jars and must not
# find Downbeat's launcher. Needs the registries; sbt's launcher comes from Maven Central, Gradle must be installed.
# TOOLS selects the tools (default: "maven sbt gradle").
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/gatling-plugin/target/builds
gatling=${GATLING:-3.15.1}
tools=${TOOLS:-maven sbt gradle}
selected() { case " $tools " in *" $1 "*) true ;; *) false ;; esac; }
# A new version each time, because Maven caches artifacts in the local repository; the exit trap removes it from there.
version=${VERSION:-0.0.0-builds.$(date +%s).$$}
rm -rf "$out" && mkdir -p "$out" && echo "$version" >"$out/version"
forget() { rm -rf "${LOCAL_REPOSITORY:-$HOME/.m2/repository}"/dev/downbeat/*/"$version"; }
trap forget EXIT
trap 'exit 130' INT TERM

fail() { echo "check: $1" >&2; [ -z "${2:-}" ] || tail -n 40 "$2" >&2; exit 1; }

[ -n "${REPOSITORY:-}" ] || (cd "$root" && mvn -B -q -Pfast -Drevision=$version -Dmaven.test.skip=true -DaltDeploymentRepository="downbeat::file:$out/repository" \
  -pl load,gatling-plugin -am package org.apache.maven.plugins:maven-deploy-plugin:3.2.0:deploy) \
  >"$out/package.log" 2>&1 || fail "Downbeat was not built" "$out/package.log"

repository=${REPOSITORY:-$out/repository}

! selected sbt || (cd "$root" && mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -N \
  -Dartifact=org.scala-sbt:sbt-launch:1.10.11 -DoutputDirectory="$out") >"$out/launch.log" 2>&1 \
  || fail "sbt's launcher was not found" "$out/launch.log"
[ "${PREPARE:-}" != only ] || exit 0

# The server ends when its stdin is closed.
mkfifo "$out/stop"
java -cp "$root/targets/loopback/target/classes:$root/core/target/classes" \
  dev.downbeat.loopback.LoopbackProcess <"$out/stop" >"$out/server" &
exec 3>"$out/stop"
until grep -q '^uri ' "$out/server"; do sleep 0.1; done
target=$(sed -n 's/^uri //p' "$out/server" | sed 's#/$##')

results() { # folder, tool
  for each in first second third; do
    set -- "$1" "$2" "$(ls -d "$1/$each"simulation-*/ 2>/dev/null | head -n 1)"
    [ -n "$3" ] || fail "$2: the $each simulation has no results"
    for file in downbeat.html downbeat.json downbeat.hlog downbeat-junit.xml downbeat-requests.csv index.html; do
      [ -s "$3/$file" ] || fail "$2: the $each simulation has no $file"
    done
    grep -q downbeat.html "$3/index.html" || fail "$2: Gatling's page of the $each simulation has no link to Downbeat's"
    grep -q '"answered": *40' "$3/downbeat.json" || fail "$2: the $each simulation does not have 40 responses"
  done
}

if selected maven; then
  cp -r "$here/maven" "$out/maven"
  (cd "$out/maven" && mvn -B ${MAVEN_ARGUMENTS:-} -Ddownbeat.repository="file:$repository" -Ddownbeat.version="$version" -Dgatling.version="$gatling" \
    -Dgatling.jvmArgs="-Dtarget=$target" -Dtarget="$target" test-compile gatling:test) >"$out/maven.log" 2>&1 \
    && fail "maven: the build did not fail" "$out/maven.log"
  results "$out/maven/target/gatling" maven
  [ "$(ls -d "$out"/maven/target/gatling/*/ | wc -l)" = 3 ] || fail "maven: not exactly the three simulations ran" "$out/maven.log"
  grep -q 'Gatling simulation assertions failed' "$out/maven.log" || fail "maven: a crash instead of a failed test" "$out/maven.log"
  echo "maven, Gatling $gatling: three simulations ran, the second is a failed test"
fi

if selected sbt; then
  cp -r "$here/sbt" "$out/sbt" && rm -r "$out/sbt/src/test/scala/freezes" # gatling-plugin/matrix runs these
  (cd "$out/sbt" && java -Xmx700m -Dsbt.log.noformat=true -Ddownbeat.repository="file:$repository" -Ddownbeat.version="$version" -Dgatling.version="$gatling" \
    -Dtarget="$target" -jar "$out/sbt-launch-1.10.11.jar" Gatling/test) >"$out/sbt.log" 2>&1 </dev/null \
    && fail "sbt: the build did not fail" "$out/sbt.log"
  results "$out/sbt/target/gatling" sbt
  [ "$(ls -d "$out"/sbt/target/gatling/*/ | wc -l)" = 3 ] || fail "sbt: not exactly the three simulations ran" "$out/sbt.log"
  grep -q 'SecondSimulation failed' "$out/sbt.log" || fail "sbt: no failed test" "$out/sbt.log"
  grep -q 'ThirdSimulation successful' "$out/sbt.log" || fail "sbt: the third did not succeed" "$out/sbt.log"
  echo "sbt, Gatling $gatling: three simulations ran, the second is a failed test"
fi

if selected gradle && ! command -v gradle >/dev/null; then
  echo "gradle: not installed, skipped"
elif selected gradle; then
  mkdir "$out/gradle" && cp -r "$here/gradle" "$here/maven" "$here/sbt" "$out/gradle"
  (cd "$out/gradle/gradle" && gradle --no-daemon -q -Ddownbeat.repository="file:$repository" -Ddownbeat.version="$version" \
    -Dgatling.version="$gatling" -Dtarget="$target" gatlingRun) >"$out/gradle.log" 2>&1 </dev/null \
    && fail "gradle: the build did not fail" "$out/gradle.log"
  results "$out/gradle/gradle/build/reports/gatling" gradle
  tr '=' ':' <"$out/gradle.log" | grep -q 'exit codes: .builds.FirstSimulation:0, builds.SecondSimulation:2, builds.ThirdSimulation:0' \
    || fail "gradle: the exit codes are not 0, 2, 0" "$out/gradle.log"
  echo "gradle, Gatling $gatling: three simulations ran, the second is a failed test"
fi
