#!/bin/sh
{{HEAD}}
# Submit with: sbatch THIS_FILE. Optional: $DOWNBEAT, the launcher; $DOWNBEAT_RESULTS, a folder that all nodes share.
# During the job: downbeat watch file:{{NAME}}/meeting --plan {{NAME}}/plan.json
# After the job: downbeat merge {{NAME}}/shard-*.downbeat
#SBATCH --job-name={{NAME}}
#SBATCH --ntasks={{SHARDS}}
#SBATCH --cpus-per-task={{CPUS}}
#SBATCH --mem-per-cpu={{MEBIBYTES_PER_CPU}}M
#SBATCH --output={{NAME}}.log
set -eu
results=${DOWNBEAT_RESULTS:-$SLURM_SUBMIT_DIR/{{NAME}}}
mkdir -p "$results"
# Creates a new file: an existing one may belong to another user, or be a link.
rm -f "$results/plan.json"
(umask 077 && set -C && cat >"$results/plan.json") <<'END_OF_PLAN'
{{PLAN_TEXT}}
END_OF_PLAN
# Since Slurm 22.05, srun does not inherit --cpus-per-task from sbatch.
exec srun --cpus-per-task={{CPUS}} --label --kill-on-bad-exit=0 "${DOWNBEAT:-downbeat}" run --plan "$results/plan.json" \
  --meet "file:$results/meeting" {{ALLOWED}}-q -o "$results/shard-{shard}.downbeat"
