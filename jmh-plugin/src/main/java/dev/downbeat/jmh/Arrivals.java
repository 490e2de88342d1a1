package dev.downbeat.jmh;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;

/** By which law the operations of a paced benchmark are meant to begin. */
public enum Arrivals {
    /** At even distances, over all threads: each thread has a phase of its own. */
    CONSTANT {
        @Override
        ArrivalProcess process(Rate rate, long seed) {
            return new Constant(rate);
        }
    },
    /** At random, as from many independent callers. */
    POISSON {
        @Override
        ArrivalProcess process(Rate rate, long seed) {
            return new Poisson(rate, seed);
        }
    };

    abstract ArrivalProcess process(Rate rate, long seed);
}
