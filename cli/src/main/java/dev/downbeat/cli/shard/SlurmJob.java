package dev.downbeat.cli.shard;

/** A script for a Slurm job array. */
public final class SlurmJob {
    private SlurmJob() {}

    /** What {@code sbatch} takes. */
    public static String of(EngineJob job) {
        return "#!/bin/sh\n" + job.head()
                + """
                # DOWNBEAT_START_AT=$(date -u -d '+2 minutes' +%%Y-%%m-%%dT%%H:%%M:%%SZ) sbatch THIS_FILE
                # When the array is over: downbeat merge %1$s/shard-*.downbeat
                #SBATCH --job-name=%1$s
                #SBATCH --array=0-%2$d
                #SBATCH --ntasks=1
                #SBATCH --cpus-per-task=%3$d
                #SBATCH --mem=%4$dM
                #SBATCH --output=%1$s-%%a.log
                set -eu
                : "${DOWNBEAT_START_AT:=%5$s}"
                export DOWNBEAT_START_AT
                results=${DOWNBEAT_RESULTS:-$SLURM_SUBMIT_DIR/%1$s}
                mkdir -p "$results"
                exec "${DOWNBEAT:-downbeat}" run --plan - -q -o "$results/shard-{shard}.downbeat" <<'END_OF_PLAN'
                %6$sEND_OF_PLAN
                """.formatted(
                                job.name(),
                                job.plan().shards() - 1,
                                job.options().cpus,
                                job.options().memoryMebibytes(),
                                job.start(),
                                job.plan().text());
    }
}
