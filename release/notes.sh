#!/bin/sh
# Prints a version's section of the change log as release notes: notes.sh VERSION
set -eu
awk -v version="$1" '
  /^## / { inside = ($2 == version); next }
  inside { print }
' "$(dirname "$0")/../CHANGELOG.md"
