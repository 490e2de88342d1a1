#!/usr/bin/env bash
# What the caches of action.yml are called: how the key of a branch's base begins, and that of the undecided builds of a branch or
# pull request. GitHub refuses a key with a comma or of more than 512 characters, and the names of workflows and branches are free.
set -euo pipefail
part() { # name: as it may stand in a key
  local name=${1//[$',\n\r']/%2C}
  [ "${#name}" -le 120 ] || name=${name:0:100}-$(printf '%s' "$1" | cksum | tr ' ' -)
  printf '%s' "$name"
}
build=${GITHUB_REF:-} # on pull_request_target that of the base branch
[ -z "${INPUT_PULL:-}" ] || build=refs/pull/$INPUT_PULL/merge
job=$(part "${GITHUB_WORKFLOW:-}")-${GITHUB_JOB:-}-${INPUT_LEG:-}
printf '%s\n' "branch=downbeat-$job-$(part "${GITHUB_BASE_REF:-${GITHUB_REF_NAME:-}}")" \
  "undecided=downbeat-undecided-$job-$(part "$build")" >>"${GITHUB_OUTPUT:-/dev/null}"
