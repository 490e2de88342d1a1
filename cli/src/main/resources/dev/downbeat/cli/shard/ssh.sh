#!/bin/sh
{{HEAD}}
# Run with: sh THIS_FILE. Optional: $DOWNBEAT, the launcher on all hosts; $DOWNBEAT_RESULTS, the local folder of results.
# The other hosts must reach {{MEET_HOST}} at port {{MEET_PORT}}.
# During the run: downbeat watch tcp:{{MEET_HOST}}:{{MEET_PORT}} --plan {{NAME}}/plan.json
set -eu
downbeat=${DOWNBEAT:-downbeat}
results=${DOWNBEAT_RESULTS:-{{NAME}}}
mkdir -p "$results"
# Creates a new file: an existing one may belong to another user, or be a link.
rm -f "$results/plan.json"
(umask 077 && set -C && cat >"$results/plan.json") <<'END_OF_PLAN'
{{PLAN_TEXT}}
END_OF_PLAN
# Background jobs of a script ignore Ctrl-C, so a signal asks the shards to stop. After that, or after three tries, a signal ends
# only this script.
tries=0
signal=
signalled() {
  signal=${signal:-$1}
  tries=$((tries + 1))
  if "$downbeat" stop tcp:{{MEET_HOST}}:{{MEET_PORT}} --plan "$results/plan.json" >&2; then trap - INT TERM HUP
  elif [ $tries -lt 3 ]; then echo "No shard was reached: they are still starting, or have ended. Another signal tries again." >&2
  else trap - INT TERM HUP; echo "No shard was reached. Another signal ends only this script." >&2; fi
}
trap 'signalled 2' INT
trap 'signalled 15' TERM
trap 'signalled 1' HUP
shard=0
for host in {{HOSTS}}; do
  ${SSH:-ssh} "$host" "d=\$(mktemp -d) && code=0 && {
    '$downbeat' run --plan - --shard $shard/{{SHARDS}} --meet tcp:{{MEET_HOST}}:{{MEET_PORT}} {{ALLOWED}}-q -o \$d/s.downbeat >&2 || code=\$?
    for f in \$d/s.downbeat \$d/s.downbeat.part; do [ ! -e \$f ] || cat \$f || exit 1; done
    rm -r \$d
    exit \$code; }" <"$results/plan.json" >"$results/shard-$shard.downbeat" 2>"$results/shard-$shard.log" &
  shard=$((shard + 1))
done
until wait; do :; done
merged=0
"$downbeat" merge "$results"/shard-*.downbeat -o "$results/all.html" || merged=$?
[ -z "$signal" ] || exit $((128 + signal))
exit $merged
