#!/usr/bin/env bash
# Pushes the image for two kinds of machine: the jars on a base that has a Java and a C library for each. Needs a registry; the
# tar that -Pdist makes has a Java of its own, for the machine that it is built on.
#   release/image.sh --push REGISTRY/NAME VERSION     (after 'docker login'; DOWNBEAT_BASE names another base)
set -euo pipefail
here=$(CDPATH= cd -- "$(dirname "$0")/.." && pwd -P)
[ "${1:-}" = --push ] && [ $# -eq 3 ] || { echo "image: usage: release/image.sh --push REGISTRY/NAME VERSION" >&2; exit 2; }
name=$2 version=$3
words=()
case $name in 127.0.0.1:* | localhost:*) words+=(-Ddownbeat.registry.insecure=true) ;; esac
cd "$here"
mvn -B -q --no-transfer-progress -Pfast,dist,image -Drevision="$version" -DskipTests -Dmaven.test.skip=true \
  "-Ddownbeat.base=${DOWNBEAT_BASE:-eclipse-temurin:25-jre}" "-Ddownbeat.image=$name:$version" "${words[@]+"${words[@]}"}" package
