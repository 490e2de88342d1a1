#!/usr/bin/env bash
# Posts a text as a comment on the pull request (GitHub) or merge request (GitLab), if a token is given.
# Each job or matrix leg has one comment, which the next build updates.
#   INPUT_TOKEN=... release/comment.sh FILE
# Never fails a build: an error is only a warning. Needs curl and jq.
set -uo pipefail
warn() { printf '::warning title=Downbeat::the result is not in the pull request: %s\n' "$1"; exit 0; }
call() { # method, URL, curl options...; -K keeps the token out of the process list
  curl -sS -f --max-time 20 -X "$1" -K <(printf 'header = "%s"\n' "$header") -H 'Content-Type: application/json' "${@:3}" "$2"
}

[ -n "${INPUT_TOKEN:-}" ] || exit 0
mark="<!-- downbeat: ${GITHUB_WORKFLOW:-} ${GITHUB_JOB:-${CI_JOB_NAME:-}} ${INPUT_LEG:-} ${INPUT_RESULTS:-} -->"
number='' # of the pull request; on pull_request_target, and when it is closed, the ref names its base branch
if [[ ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]]; then
  number=${BASH_REMATCH[1]}
elif [ -n "${GITHUB_BASE_REF:-}" ] && [ -n "${GITHUB_EVENT_PATH:-}" ]; then
  number=$(jq -er .pull_request.number "$GITHUB_EVENT_PATH" 2>/dev/null) || warn 'its number is unknown (which takes jq)'
fi
if [ -n "$number" ]; then
  header="Authorization: Bearer $INPUT_TOKEN"
  api=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues user=$GITHUB_API_URL/user
  list=$api/$number/comments one=$api/comments change=PATCH
elif [ -n "${CI_MERGE_REQUEST_IID:-}" ]; then
  header="PRIVATE-TOKEN: $INPUT_TOKEN"
  list=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
  one=$list change=PUT user=$CI_API_V4_URL/user
else
  exit 0
fi
command -v jq >/dev/null && command -v curl >/dev/null || warn 'jq and curl are needed'
comment=$(jq -Rs --arg mark "$mark" '{body: ($mark + "\n``````\n" + . + "\n``````")}' "$1") || warn "$1 cannot be read"
# Anyone may copy the mark into a comment, so the author must match. A workflow's token has no user; its author is a bot.
answer=$(call GET "$user" -w '\n%{http_code}' 2>/dev/null) || [[ $answer == *$'\n'40[134] ]] || warn 'the user of its token is unknown'
writer=$(jq .id <<<"${answer%$'\n'*}") || writer=
[ -n "$writer" ] || [ -n "${GITHUB_REF:-}" ] || warn 'the user of its token is unknown'
for page in {1..20}; do
  known=$(call GET "$list?per_page=100&page=$page") || warn 'its comments cannot be read'
  id=$(jq -r --arg mark "$mark" --arg writer "$writer" '[.[] | select(.body | startswith($mark)) | select(.user // .author
    | if $writer == "" then .type == "Bot" else (.id | tostring) == $writer end) | .id][0] // empty' <<<"$known") || warn 'its comments are not JSON'
  [ -z "$id" ] && [ "$(jq length <<<"$known")" -eq 100 ] || break
done
if [ -n "$id" ]; then
  call "$change" "$one/$id" -d "$comment" >/dev/null || warn 'its comment could not be updated'
else
  call POST "$list" -d "$comment" >/dev/null || warn 'the comment was rejected'
fi
