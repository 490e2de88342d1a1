#!/usr/bin/env bash
# Pushes the container image for amd64 and arm64: the jars on a base image with Java and a C library. (The tar of -Pdist
# bundles a Java for the build machine instead.)
#   release/image.sh --push REGISTRY/NAME VERSION     (after 'docker login'; DOWNBEAT_BASE names another base image)
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
[ "${1:-}" = --push ] && [ $# -eq 3 ] || { echo "image: usage: release/image.sh --push REGISTRY/NAME VERSION" >&2; exit 2; }
name=$2 version=$3
words=()
case $name in 127.0.0.1:* | localhost:*) words+=(-Ddownbeat.registry.insecure=true) ;; esac
cd "$here"
mvn -B -q --no-transfer-progress -Pfast,dist,image -Drevision="$version" -DskipTests -Dmaven.test.skip=true \
  "-Ddownbeat.base=${DOWNBEAT_BASE:-eclipse-temurin:25-jre}" "-Ddownbeat.image=$name:$version" "${words[@]+"${words[@]}"}" package
