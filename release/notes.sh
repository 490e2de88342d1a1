#!/bin/sh
# The notes of a version, out of the change log, for its release: notes.sh VERSION
set -eu
awk -v version="$1" '
  /^## / { inside = ($2 == version); next }
  inside { print }
' "$(dirname "$0")/../CHANGELOG.md"
