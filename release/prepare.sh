#!/usr/bin/env bash
# Prepares a release with one command: writes the version into the POM, the change log and the documentation, commits and tags it,
# and commits the next snapshot version. Pushes nothing; the last line is the command for that (CONTRIBUTING.md, "Release").
#   release/prepare.sh 0.1.0 [--next 0.2.0] [--date 2026-11-22]
set -euo pipefail
CDPATH='' cd -- "$(dirname "$0")/.."
version=${1:-} next='' day=$(date -u +%F)
[ $# -eq 0 ] || shift
while [ $# -gt 0 ]; do
  case $1 in
    --next) next=$2; shift 2 ;;
    --date) day=$2; shift 2 ;;
    *) echo "prepare: unknown option $1; known are --next and --date" >&2; exit 2 ;;
  esac
done
refuse() { echo "prepare: $1" >&2; exit 2; }
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "the version must be like 0.1.0, but was '$version'"
if [ -z "$next" ]; then IFS=. read -r major minor _ <<<"$version"; next=$major.$((minor + 1)).0; fi
[ -z "$(git status --porcelain)" ] || refuse "there are uncommitted changes"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || refuse "the tag v$version exists already"
grep -q '^## Unreleased$' CHANGELOG.md || refuse "CHANGELOG.md has no section 'Unreleased'"

in_place() { # expression, files...: like sed -i, whose syntax differs on macOS
  local expression=$1 file
  shift
  for file in "$@"; do sed -E "$expression" "$file" >"$file.new" && cat "$file.new" >"$file" && rm "$file.new"; done
}
before=$(sed -n 's|.*<api.baseline>\(.*\)</api.baseline>.*|\1|p' pom.xml)
in_place "s|<revision>[^<]*</revision>|<revision>$version</revision>|
s|<project.build.outputTimestamp>[^<]*<|<project.build.outputTimestamp>${day}T00:00:00Z<|" pom.xml
in_place "s|^## Unreleased\$|## Unreleased\\
\\
## $version - $day|
/^Nothing has been released yet/,/^\$/d" CHANGELOG.md
# Files from which users copy a version: they name the previous release or the snapshot.
in_place "s|[0-9]+\.[0-9]+\.[0-9]+-SNAPSHOT|$version|g
s#(^|[^0-9.])${before//./\\.}([^0-9]|\$)#\\1$version\\2#g
/^\*\*There is no release yet\*\*/,/^\$/d" docs/install.md docs/gradle.md docs/jmh.md docs/gatling*.md jbang-catalog.json \
  templates/downbeat.yml vars/downbeat.groovy \
  */example/pom.xml */examples/*/pom.xml gatling-plugin/builds/maven/pom.xml gatling-plugin/builds/sbt/build.sbt
in_place "s|^There is no release yet\. Version [0-9.]* will ship|There are|
s|^Status: pre-[0-9.]*, tested|Status: tested|" README.md
refuse_leftovers() { # what the files still do, the files: commits nothing if there are any
  [ -z "$2" ] || { git checkout -q .; refuse "this script does not update all files that $1: $(paste -sd ' ' <<<"$2")"; }
}
refuse_leftovers 'name the snapshot version' \
  "$(git grep -lE '[0-9]-SNAPSHOT' -- ':!*/src/test/*' ':!jmh-benchmarks/results')"
refuse_leftovers 'say that there is no release' \
  "$(git grep -liE '(there is no release|nothing has been released) yet|^Status: pre-' -- ':!*/src/test/*' ':!release/prepare.sh')"
git commit -qam "Version $version"
git tag -a "v$version" -m "Downbeat $version"
in_place "s|<revision>[^<]*</revision>|<revision>$next-SNAPSHOT</revision>|
s|<api.baseline>[^<]*<|<api.baseline>$version<|" pom.xml
git commit -qam "Version $next begins"
echo "v$version is tagged locally. To publish it: git push origin main v$version"
