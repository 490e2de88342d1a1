package dev.downbeat.cli;

import dev.downbeat.run.RunPlan;
import java.io.IOException;

/**
 * A measurement in several short slices, in turns with others.
 *
 * @param name as the user would say it
 * @param whole all slices together
 * @param plans the plan of each slice
 */
record SlicedJob(String name, Job whole, Plans plans) {
    /** Gives the plan of a turn; the n-th one has the same lots in every job. */
    interface Plans {
        RunPlan ofTurn(int turn) throws IOException;
    }
}
