package dev.downbeat.loopback;

import dev.downbeat.loopback.FunctionInstances.Admission;
import dev.downbeat.loopback.options.LoopbackOptions;

/** State shared by a server's connections. Thread-safe. */
record ServerState(
        LoopbackOptions options, ServiceSlots slots, FunctionInstances fleet, LoopbackStats.Counters counters) {
    Admission admit(long arrivedAt, long serviceNanos) {
        return options.instances().areAny()
                ? fleet.admit(arrivedAt, serviceNanos)
                : new Admission(slots.admit(arrivedAt, serviceNanos), false);
    }
}
