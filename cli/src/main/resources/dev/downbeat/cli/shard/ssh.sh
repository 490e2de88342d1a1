#!/bin/sh
{{HEAD}}
# sh THIS_FILE. $DOWNBEAT names the launcher, there and here; $DOWNBEAT_RESULTS the folder of the results, here.
# The other hosts reach {{MEET_HOST}} at port {{MEET_PORT}}.
# Meanwhile: downbeat watch tcp:{{MEET_HOST}}:{{MEET_PORT}} --plan {{NAME}}/plan.json
set -eu
downbeat=${DOWNBEAT:-downbeat}
results=${DOWNBEAT_RESULTS:-{{NAME}}}
mkdir -p "$results"
# A new file: one that is there may be somebody else's, or a link.
rm -f "$results/plan.json"
(umask 077 && set -C && cat >"$results/plan.json") <<'END_OF_PLAN'
{{PLAN_TEXT}}
END_OF_PLAN
# The jobs of a script ignore Ctrl-C: the shards are asked to end. Afterwards, or after three tries, a signal ends this script alone.
tries=0
trap 'tries=$((tries + 1))
if "$downbeat" stop tcp:{{MEET_HOST}}:{{MEET_PORT}} --plan "$results/plan.json" >&2; then trap - INT TERM HUP
elif [ $tries -lt 3 ]; then echo "No shard was reached: they are starting, or have ended. Another signal tries again." >&2
else trap - INT TERM HUP; echo "No shard was reached. Another signal ends this script alone." >&2; fi' INT TERM HUP
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
exec "$downbeat" merge "$results"/shard-*.downbeat -o "$results/all.html"
