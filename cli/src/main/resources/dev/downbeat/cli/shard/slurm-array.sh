#!/bin/sh
{{HEAD}}
# DOWNBEAT_START_AT=$(date -u -d '+2 minutes' +%Y-%m-%dT%H:%M:%SZ) sbatch THIS_FILE
# When the array is over: downbeat merge {{NAME}}/shard-*.downbeat
#SBATCH --job-name={{NAME}}
#SBATCH --array=0-{{LAST}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{CPUS}}
#SBATCH --mem={{MEBIBYTES}}M
#SBATCH --output={{NAME}}-%a.log
set -eu
: "${DOWNBEAT_START_AT:={{START}}}"
export DOWNBEAT_START_AT
results=${DOWNBEAT_RESULTS:-$SLURM_SUBMIT_DIR/{{NAME}}}
mkdir -p "$results"
exec "${DOWNBEAT:-downbeat}" run --plan - -q -o "$results/shard-{shard}.downbeat" <<'END_OF_PLAN'
{{PLAN_TEXT}}
END_OF_PLAN
