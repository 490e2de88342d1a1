#!/bin/sh
# Builds a project with the snippets of docs/jmh.md and runs its benchmark, with Maven and with Gradle. JMH's Gradle plugin needs
# Gradle 8; without it, the script only checks that the plugin has the settings used in the snippet.
# Needs the registries and a minute. TOOLS selects the tools (default: "maven gradle").
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/jmh-plugin/target/builds
tools=${TOOLS:-maven gradle}
version=0.0.0-builds.$(date +%s).$$ # a new one each time, because Maven caches artifacts
maven="mvn -B -q ${MAVEN_ARGUMENTS:-}"
rm -rf "$out" && mkdir -p "$out"
selected() { case " $tools " in *" $1 "*) true ;; *) false ;; esac; }
fail() { echo "check: $1" >&2; [ -z "${2:-}" ] || tail -n 40 "$2" >&2; exit 1; }
forget() { rm -rf "${LOCAL_REPOSITORY:-$HOME/.m2/repository}"/dev/downbeat/*/"$version"; }
trap forget EXIT
trap 'exit 130' INT TERM

snippet() { # language: prints its first code block on the page
  sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$root/docs/jmh.md" | sed '1d;/^```$/,$d' | sed -E "s/(downbeat-jmh:|<version>)[0-9][0-9A-Za-z.-]*/\1$version/"
}
results() { # log, tool: checks that the benchmark published Downbeat's metrics
  for each in response.p99 service.p99 ledger.answered; do
    grep -q "$each" "$1" || fail "$2: no $each" "$1"
  done
  echo "$2: the snippet of docs/jmh.md runs"
}

(cd "$root" && $maven -Pfast -Drevision="$version" -Dmaven.test.skip=true -DaltDeploymentRepository="downbeat::file:$out/repository" \
  -pl jmh-plugin -am package org.apache.maven.plugins:maven-deploy-plugin:3.2.0:deploy) >"$out/package.log" 2>&1 \
  || fail "Downbeat was not built" "$out/package.log"

if selected maven; then
  cp -r "$here/maven" "$out/maven"
  snippet xml >"$out/snippet.xml" && [ -s "$out/snippet.xml" ] || fail "docs/jmh.md has no snippet for Maven"
  sed -i "/<!-- SNIPPET -->/r $out/snippet.xml" "$out/maven/pom.xml"
  (cd "$out/maven" && $maven -Ddownbeat.repository="file:$out/repository" package \
    && java -jar target/benchmarks.jar handshake -p rate=2000 -f 1 -wi 1 -w 200ms -i 2 -r 500ms \
      -prof dev.downbeat.jmh.DownbeatProfiler) >"$out/maven.log" 2>&1 || fail "maven: the benchmark did not run" "$out/maven.log"
  results "$out/maven.log" maven
fi

if selected gradle; then
  snippet kotlin >"$out/snippet.kts" && [ -s "$out/snippet.kts" ] || fail "docs/jmh.md has no snippet for Gradle"
  found=$(gradle --version 2>/dev/null | sed -n 's/^Gradle \([0-9]*\).*/\1/p' || true)
  if [ "${found:-0}" -ge 8 ]; then
    mkdir -p "$out/gradle/src" && cp -r "$here/maven/src/main" "$out/gradle/src/jmh"
    echo 'pluginManagement { repositories { mavenCentral(); gradlePluginPortal() } }' >"$out/gradle/settings.gradle.kts"
    { cat "$out/snippet.kts"; echo "repositories { maven(\"file:$out/repository\"); mavenCentral() }"; } >"$out/gradle/build.gradle.kts"
    (cd "$out/gradle" && gradle --no-daemon jmh) >"$out/gradle.log" 2>&1 </dev/null || fail "gradle: the benchmark did not run" "$out/gradle.log"
    results "$out/gradle.log" gradle
  else
    plugin=$(sed -n 's/.*id("me.champeau.jmh") version "\(.*\)".*/\1/p' "$out/snippet.kts")
    $maven org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -f "$root/pom.xml" -N -DoutputDirectory="$out" \
      -Dartifact=me.champeau.jmh:jmh-gradle-plugin:"$plugin" >"$out/plugin.log" 2>&1 || fail "JMH's plugin for Gradle was not found" "$out/plugin.log"
    for name in $(sed -n '/^jmh {/,/^}/s/^ *\([a-zA-Z]*\)\.\(add\|put\|set\).*/\1/p' "$out/snippet.kts"); do
      javap -cp "$out/jmh-gradle-plugin-$plugin.jar" me.champeau.jmh.JmhParameters \
        | grep -qi " get$name()" || fail "gradle: $name is not a setting of JMH's plugin $plugin"
      echo "gradle: $name is a setting of JMH's plugin $plugin"
    done
    echo "gradle: benchmark skipped, Gradle 8 is not installed"
  fi
fi
