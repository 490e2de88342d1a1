#!/usr/bin/env bash
# Builds the documentation site in release/target/site: docs/, the change log, Javadoc of the public API, search, version list.
# Then checks that all links resolve and that the search finds known terms. Uploads nothing.
# Needs Python 3 and, the first time, the network.
#   release/site.sh [--version 0.1.0] [--no-javadoc] [--into FOLDER]    (--into: adds the version to a site with other versions)
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
version=latest javadoc=yes into=''
while [ $# -gt 0 ]; do
  case $1 in
    --version) version=$2; shift 2 ;;
    --no-javadoc) javadoc=''; shift ;;
    --into) into=$2; shift 2 ;;
    *) echo "site: unknown option $1; known are --version, --no-javadoc and --into" >&2; exit 2 ;;
  esac
done
export NO_MKDOCS_2_WARNING=1
tools=$here/release/target/site-tools out=$here/release/target/site
if ! "$tools/bin/mkdocs" --version >/dev/null 2>&1; then
  python3 -m venv "$tools"
  "$tools/bin/pip" -q install -r "$here/release/site/requirements.txt"
fi
rm -rf "$out"
mkdir -p "$out"
DOWNBEAT_SITE_URL=https://downbeat.dev/$version/ "$tools/bin/mkdocs" build -q -f "$here/release/site/mkdocs.yml" -d "$out/$version"

if [ -n "$javadoc" ]; then
  # The modules with a public API.
  modules=load,junit-plugin,integrations/micrometer,integrations/opentelemetry,integrations/spring-boot,gatling-plugin,jmh-plugin
  (cd "$here" && mvn -B -q -Pfast,javadoc -DskipTests -Dmaven.test.skip=true -pl "$modules" -am package)
  for module in ${modules//,/ }; do
    name=$(basename "$module")
    mkdir -p "$out/$version/api"
    cp -r "$here/$module/target/reports/apidocs" "$out/$version/api/$name"
  done
  {
    echo '<!doctype html><meta charset="utf-8"><title>Javadoc of Downbeat</title><h1>Javadoc</h1><ul>'
    for module in ${modules//,/ }; do
      name=$(basename "$module")
      printf '<li><a href="%s/index.html">%s</a></li>\n' "$name" "$name"
    done
    echo '</ul><p><a href="../index.html">All pages</a></p>'
  } >"$out/$version/api/index.html"
fi

list_versions() { # site folder: writes versions.json, and an index.html that redirects to the newest version
  local versions newest
  versions=$(cd "$1" && for each in */search; do dirname "$each"; done | sort -rV)
  newest=$(head -n 1 <<<"$versions")
  printf '[%s]\n' "$(sed 's/.*/{"version": "&", "title": "&", "aliases": []}/' <<<"$versions" | paste -sd ,)" >"$1/versions.json"
  printf '<!doctype html><meta http-equiv="refresh" content="0; url=%s/index.html"><a href="%s/index.html">Downbeat</a>\n' \
    "$newest" "$newest" >"$1/index.html"
}
list_versions "$out"
"$tools/bin/python" "$here/release/site/check.py" "$out" "$version"
if [ -n "$into" ]; then
  rm -rf "${into:?}/$version"
  cp -r "$out/$version" "$into/"
  list_versions "$into"
fi
