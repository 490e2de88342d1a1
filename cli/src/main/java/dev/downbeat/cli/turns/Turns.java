package dev.downbeat.cli.turns;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.SelfWarmUp;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures several systems in turns of short slices, so that drift of the machine affects all. Every second turn is
 * reversed (ABBA), so that a steady drift affects them equally. Use once.
 */
public final class Turns {
    private static final long LEAST_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<SlicedJob> jobs;
    private final int turns;
    private final Services services;
    private final Console console;
    private final Interruption interruption;
    private volatile String state = "warming up";
    private Optional<Incomparable> cutShort = Optional.empty();

    /** What the systems may have in common. */
    public enum Services {
        /** One service, to which a unique value must come only once: each system's slices have indexes of their own. */
        ONE,
        /** A service each: in a turn, all get the same requests. */
        SEVERAL
    }

    public Turns(List<SlicedJob> jobs, int turns, Services services, Console console, Interruption interruption) {
        this.jobs = jobs;
        this.turns = turns;
        this.services = services;
        this.console = console;
        this.interruption = interruption;
    }

    public static String sliceText(RunPlan whole, int turns) {
        return whole.durationNanos() == Long.MAX_VALUE
                ? PlanText.format("%,d requests", whole.maxRequests() / turns)
                : DurationText.rounded(whole.durationNanos() / turns);
    }

    /**
     * Measures all; those that failed in their first slice have none.
     *
     * @throws IOException if nothing could be measured, or it was interrupted before
     */
    public List<Variants.MeasuredVariant> run() throws IOException {
        List<List<RunResult>> slices = new ArrayList<>();
        jobs.forEach(job -> slices.add(new ArrayList<>()));
        Painter painter = console.progress(() -> "downbeat: " + state);
        try {
            SelfWarmUp.run(
                    interruption, jobs.stream().map(job -> job.whole().target()).toList());
            for (int turn = 0; turn < turns && !isOver(); turn++) {
                for (int place : order(turn)) {
                    if (!isOver()) {
                        slice(turn, place, slices);
                    }
                }
            }
        } finally {
            painter.close();
        }
        noteInterruption(slices);
        List<Variants.MeasuredVariant> measured = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            measured.add(new Variants.MeasuredVariant(
                    jobs.get(i).name(), jobs.get(i).whole().plan(), slices.get(i)));
        }
        if (slices.stream().allMatch(List::isEmpty)) {
            interruption.throwIfReceived();
        }
        return measured;
    }

    /** Notes an interruption: the complete turns alone look like a shorter measurement. */
    private void noteInterruption(List<List<RunResult>> slices) {
        long whole = slices.stream()
                .mapToLong(made -> made.stream().filter(RunResult::isComplete).count())
                .min()
                .orElse(0);
        if (interruption.isReceived() && cutShort.isEmpty() && whole < turns) {
            cutShort = Optional.of(
                    new Incomparable(Incomparable.Kind.PARTIAL, "interrupted in turn " + (whole + 1) + " of " + turns));
        }
    }

    private boolean isOver() {
        return cutShort.isPresent() || interruption.isReceived();
    }

    /** The order within a turn. Each pair of turns starts with another system; its second turn is reversed. */
    List<Integer> order(int turn) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            order.add((i + turn / 2) % jobs.size());
        }
        if (turn % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    private void slice(int turn, int place, List<List<RunResult>> slices) throws IOException {
        SlicedJob job = jobs.get(place);
        state = PlanText.format("turn %,d of %,d, %s", turn + 1, turns, job.name());
        int earlier = services == Services.ONE ? turn * jobs.size() + place : turn;
        LoadRun run = new LoadRun(job.plans().ofTurn(turn), job.whole().target(), earlier);
        interruption.onFirst(run::stop);
        try {
            slices.get(place).add(run.run(Progress.none()));
        } catch (IOException nothing) {
            if (interruption.isReceived()) {
                return;
            }
            String text = job.name() + ": " + Messages.of(nothing);
            if (slices.stream().allMatch(List::isEmpty)) {
                throw new NoMeasurement(text);
            }
            text = "ended in turn " + (turn + 1) + " of " + turns + ": " + text;
            cutShort = Optional.of(new Incomparable(Incomparable.Kind.PARTIAL, text));
            console.error(text);
        }
    }

    /** Why there were fewer turns than asked for: a target failed, or it was interrupted. Empty if all were measured. */
    public Optional<Incomparable> cutShort() {
        return cutShort;
    }

    /** A measurement in several short slices, in turns with others; {@code whole} is all of them. */
    public record SlicedJob(String name, Job whole, Plans plans) {
        /** The plan of a turn; the n-th one has the same random numbers in every job. */
        interface Plans {
            RunPlan ofTurn(int turn) throws IOException;
        }

        /** One of several systems measured in turns; refuses loads with differing or too short slices. */
        public static SlicedJob of(String name, Measurement value, String target, int turns, @Nullable QueueDemo demo) {
            Job whole = Job.of(value, target, ShardPart.WHOLE, demo);
            Refusal.when(
                    !value.load().isSteady(),
                    "slices must be identical: use a constant load (-R, --closed or --sessions) without a ramp, stages or a"
                            + " replay");
            value.asking().requests().refuseDataUsedOnce("slices");
            Refusal.when(
                    whole.plan().durationNanos() / turns < LEAST_SLICE_NANOS
                            || whole.plan().maxRequests() < turns,
                    "a slice must last at least " + DurationText.format(LEAST_SLICE_NANOS)
                            + " and have a request: give a longer -d, a greater -n, or fewer --turns");
            return new SlicedJob(name, whole, turn -> whole.plan().slice(value.workload(turn), turn, turns));
        }
    }
}
