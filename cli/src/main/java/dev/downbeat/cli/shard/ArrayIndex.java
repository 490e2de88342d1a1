package dev.downbeat.cli.shard;

import java.util.Map;
import java.util.OptionalInt;
import picocli.CommandLine.TypeConversionException;

/** The index of this copy of a job, as the engine that started it sets it in the environment. */
public final class ArrayIndex {
    private static final String SLURM = "SLURM_ARRAY_TASK_ID";
    private static final String TASK = "SLURM_PROCID";

    /** Kubernetes Indexed Jobs, AWS Batch array jobs, Slurm job arrays, Nomad groups, tasks of srun. */
    private static final String[] NAMES = {
        "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", SLURM, "NOMAD_ALLOC_INDEX", TASK
    };

    private ArrayIndex() {}

    /**
     * The index from 0; empty if no engine sets one.
     *
     * @param environment environment of this process
     * @param shards number of shards in the plan
     * @throws TypeConversionException if the engine's index does not fit the plan
     */
    public static OptionalInt of(Map<String, String> environment, int shards) {
        for (String name : NAMES) {
            String text = environment.get(name);
            if (text == null || text.isEmpty()) {
                continue;
            }
            int index = number(name, text) - (name.equals(SLURM) ? number(environment, "SLURM_ARRAY_TASK_MIN", 0) : 0);
            int count = name.equals(SLURM) ? number(environment, "SLURM_ARRAY_TASK_COUNT", shards) : shards;
            if (count != shards) {
                throw new TypeConversionException("the plan has " + shards + " shards, but SLURM_ARRAY_TASK_COUNT is "
                        + count + ": the array must be 0-" + (shards - 1));
            }
            int tasks = name.equals(TASK) ? number(environment, "SLURM_STEP_NUM_TASKS", 1) : shards;
            if (tasks != shards) {
                throw new TypeConversionException("the plan has " + shards + " shards, but SLURM_STEP_NUM_TASKS is "
                        + tasks + ": start it with srun --ntasks=" + shards);
            }
            if (index < 0 || index >= shards) {
                throw new TypeConversionException(
                        "the plan has shards 0 to " + (shards - 1) + ", but " + name + " is " + text);
            }
            return OptionalInt.of(index);
        }
        return OptionalInt.empty();
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String text = environment.get(name);
        return text == null || text.isEmpty() ? otherwise : number(name, text);
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException malformed) {
            throw new TypeConversionException(name + " must be a number, but was '" + text + "'");
        }
    }
}
