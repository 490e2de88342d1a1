#!/usr/bin/env bash
# Prints the cache key prefixes of action.yml: 'branch' for a branch's base, 'undecided' for the undecided builds in a row.
# GitHub rejects keys with a comma or more than 512 characters, and workflow and branch names may have both.
set -euo pipefail
part() { # name: made valid within a key
  local name=${1//[$',\n\r']/%2C}
  [ "${#name}" -le 120 ] || name=${name:0:100}-$(printf '%s' "$1" | cksum | tr ' ' -)
  printf '%s' "$name"
}
build=${GITHUB_REF:-} # on pull_request_target, this is the base branch
[ -z "${INPUT_PULL:-}" ] || build=refs/pull/$INPUT_PULL/merge
job=$(part "${GITHUB_WORKFLOW:-}")-${GITHUB_JOB:-}-${INPUT_LEG:-}
printf '%s\n' "branch=downbeat-$job-$(part "${GITHUB_BASE_REF:-${GITHUB_REF_NAME:-}}")" \
  "undecided=downbeat-undecided-$job-$(part "$build")" >>"${GITHUB_OUTPUT:-/dev/null}"
