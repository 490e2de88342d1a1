package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.Sweep;
import java.util.Map;

/** A command that can repeat what a saved file describes. */
public interface Repeatable<R extends Record> {
    /** The record that each command is configured by. */
    Map<String, Class<? extends Record>> TYPES =
            Map.of("run", Measurement.class, "simulate", SimulationOptions.class, "sweep", Sweep.class);

    /** Makes the value the default of all options. */
    void repeat(R value);

    /** The value of the command line. */
    R value();
}
