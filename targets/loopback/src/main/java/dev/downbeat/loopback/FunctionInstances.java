package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns requests to instances of a function. An idle instance is used, most recent first; otherwise a new one,
 * after a cold start; at the limit of instances, the first to become free. Thread-safe. Reads no clock.
 */
final class FunctionInstances {
    private final Instances rule;
    private final List<Instance> instances = new ArrayList<>();

    private static final class Instance {
        long freeAt;
    }

    /**
     * The time at which a request is finished.
     *
     * @param isCold whether it waited for the start of its instance
     */
    record Admission(long dueAt, boolean isCold) {}

    FunctionInstances(Instances rule) {
        this.rule = rule;
    }

    synchronized Admission admit(long arrivedAt, long serviceNanos) {
        instances.removeIf(one -> arrivedAt - one.freeAt > rule.idleNanos());
        Instance idle = null;
        Instance first = null;
        for (Instance one : instances) {
            boolean isIdle = one.freeAt - arrivedAt <= 0;
            idle = isIdle && (idle == null || one.freeAt - idle.freeAt > 0) ? one : idle;
            first = first == null || one.freeAt - first.freeAt < 0 ? one : first;
        }
        boolean isCold = idle == null && instances.size() < rule.most();
        Instance serving = idle != null ? idle : first;
        if (isCold || serving == null) {
            serving = new Instance();
            serving.freeAt = arrivedAt + rule.coldNanos();
            instances.add(serving);
        }
        long startAt = serving.freeAt - arrivedAt > 0 ? serving.freeAt : arrivedAt;
        serving.freeAt = startAt + serviceNanos;
        return new Admission(serving.freeAt, isCold);
    }
}
