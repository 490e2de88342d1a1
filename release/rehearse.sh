#!/usr/bin/env bash
# Rehearses a whole release in a clone of the last commit, with folders instead of servers. It prepares the version (prepare.sh),
# checks the bundle for Maven Central (check.sh), builds and tests the packages (packages.sh), makes the manifests for Homebrew,
# Scoop and SDKMAN (JReleaser's dry run), and builds the site (site.sh). Uploads nothing and writes only to release/target.
#   release/rehearse.sh [--version 0.1.0] [--once] [--only prepare,check,packages,jreleaser,site]
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
all=prepare,check,packages,jreleaser,site
version=0.1.0 once='' only=$all
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --once) once=--once; shift ;;
    --only) only=$2; shift 2 ;;
    *) echo "rehearse: unknown option $1; known are --version, --once and --only" >&2; exit 2 ;;
  esac
done
out=$here/release/target/rehearsal
clone=$out/downbeat
mkdir -p "$out"
failed=()
step() { # name, command
  case ,$only, in *,"$1",*) ;; *) return 0 ;; esac
  local from=$SECONDS result=ok
  echo "== $1"
  "${@:2}" || { result=FAILED; failed+=("$1"); }
  echo "== $1: $result after $((SECONDS - from)) s"
}

prepare() {
  rm -rf "$clone"
  git clone -q "$here" "$clone"
  (cd "$clone" && git config user.name rehearsal && git config user.email rehearsal@downbeat.dev \
    && release/prepare.sh "$version" && git checkout -q "v$version" && mkdir -p release/target \
    && release/notes.sh "$version" >release/target/notes.md && [ -s release/target/notes.md ])
}
packages() {
  (cd "$clone" && mvn -B -q -Pdist,fast -DskipTests -Dmaven.test.skip=true -Ddownbeat.platform=linux-x86_64 package \
    && release/packages.sh --version "$version")
}
jreleaser() {
  # A dry run never uses the token, provided that no formula repository is given on the command line.
  local plugin=org.jreleaser:jreleaser-maven-plugin:1.22.0
  git -C "$clone" remote set-url origin https://github.com/downbeat-dev/downbeat.git
  (cd "$clone" && JRELEASER_PROJECT_VERSION=$version JRELEASER_GITHUB_TOKEN=none JRELEASER_SDKMAN_CONSUMER_KEY=none \
    JRELEASER_SDKMAN_CONSUMER_TOKEN=none mvn -B -N "$plugin:release" "$plugin:package" \
    -Djreleaser.config.file=release/jreleaser.yml -Djreleaser.dry.run=true) >"$out/jreleaser.log" 2>&1 \
    || { grep -a ERROR "$out/jreleaser.log" | head -n 10; echo "log: $out/jreleaser.log"; return 1; }
  local found
  found=$(cd "$clone/target/jreleaser/package" && find . -name '*.rb' -o -name 'downbeat.json' -o -name '*.zip')
  echo "$found"
  [ "$(grep -c 'downbeat[.]\(rb\|json\)' <<<"$found")" -eq 2 ] || return 1
  if command -v ruby >/dev/null; then (cd "$clone/target/jreleaser/package" && ruby -c "$(find . -name '*.rb')"); fi
}
[ -d "$clone" ] || case ,$only, in *,prepare,*) ;; *) echo "rehearse: the first step is 'prepare'" >&2; exit 2 ;; esac
step prepare prepare
step check "$clone/release/check.sh" --version "$version" --out "$out/central" $once
step packages packages
step jreleaser jreleaser
step site "$clone/release/site.sh" --version "$version"
if [ "${#failed[@]}" -gt 0 ]; then echo "not ready: ${failed[*]}"; exit 1; fi
[ "$only" = "$all" ] || { echo "these steps passed: $only"; exit 0; }
echo "ready: release/prepare.sh $version, then push the tag"
