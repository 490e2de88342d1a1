package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.Sweep;
import java.util.Map;

/** A command that can do again what a file says. */
public interface Repeatable<R extends Record> {
    /** By the name of the command what it takes. */
    Map<String, Class<? extends Record>> TYPES =
            Map.of("run", Measurement.class, "simulate", SimulationOptions.class, "sweep", Sweep.class);

    /** From now on the command line says only what is other than in this value. */
    void repeat(R value);

    /** What the command line says. */
    R value();
}
