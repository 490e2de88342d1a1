package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns requests to instances of a function. An idle instance is used, most recent first; otherwise a new one,
 * after a cold start; at the limit of instances, the first to become free. Thread-safe. Reads no clock.
 */
final class FunctionInstances {
    private final Instances limits;
    private final List<Instance> instances = new ArrayList<>();

    private static final class Instance {
        long freeAt;
    }

    /** When a request is finished, and whether it waited for the start of its instance. */
    record Admission(long dueAt, boolean isCold) {}

    FunctionInstances(Instances limits) {
        this.limits = limits;
    }

    synchronized Admission admit(long arrivedAt, long serviceNanos) {
        instances.removeIf(instance -> arrivedAt - instance.freeAt > limits.idleNanos());
        Instance idle = null;
        Instance earliest = null;
        for (Instance instance : instances) {
            boolean isIdle = instance.freeAt - arrivedAt <= 0;
            idle = isIdle && (idle == null || instance.freeAt - idle.freeAt > 0) ? instance : idle;
            earliest = earliest == null || instance.freeAt - earliest.freeAt < 0 ? instance : earliest;
        }
        boolean isCold = idle == null && instances.size() < limits.most();
        Instance serving = idle != null ? idle : earliest;
        if (isCold || serving == null) {
            serving = new Instance();
            serving.freeAt = arrivedAt + limits.coldNanos();
            instances.add(serving);
        }
        long startAt = serving.freeAt - arrivedAt > 0 ? serving.freeAt : arrivedAt;
        serving.freeAt = startAt + serviceNanos;
        return new Admission(serving.freeAt, isCold);
    }
}
