package dev.downbeat.answers;

import dev.downbeat.answers.Answer.Outcome;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.PartNames;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.level.LevelChanges;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionSearch;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.stats.session.RecordedTimeline;
import dev.downbeat.stats.session.RecordedTimeline.SessionReplay;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.SequentialTest;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every answer beside every law: services that did not change, so that each change that is named is none. */
final class LawAnswers {
    private static final int PER_SECOND = Law.PER_SECOND;
    private static final int RUNS = 40;
    private static final double MILLI = 1e6;
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0);

    private LawAnswers() {}

    static Stream<Answer> all() {
        return Law.all().flatMap(LawAnswers::of);
    }

    private static Stream<Answer> of(Law law) {
        List<Answer> answers = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            String what = String.format("interval of p%.0f, ", percentile);
            answers.add(
                    answer(what + "60 s", law, shown(law, 60, 8), seed -> interval(law, percentile, 60, 100, seed)));
            answers.add(
                    answer(what + "300 s", law, shown(law, 300, 8), seed -> interval(law, percentile, 300, 100, seed)));
            if (law.isKnownAtAnyRate()) {
                answers.add(answer(
                        what + "1,000/s, 60 s",
                        law,
                        shown(law, 60, 8),
                        seed -> interval(law, percentile, 60, 1_000, seed)));
            }
        }
        answers.add(answer("until decided, p50 met", law, 5, seed -> looks(law, 50, 0.999, seed)));
        answers.add(answer("until decided, p90 met", law, 5, seed -> looks(law, 90, 0.999, seed)));
        answers.add(answer("until decided, p90 missed", law, 5, seed -> looks(law, 90, 1.001, seed)));
        answers.add(answer("steady, 60 s", law, shown(law, 60, 3), seed -> steady(law, 60, seed)));
        answers.add(answer("compare, 22 s", law, shown(law, 22, 5), seed -> compare(law, 22, 1, seed)));
        answers.add(answer("compare, 60 s", law, shown(law, 60, 5), seed -> compare(law, 60, 1, seed)));
        answers.add(answer("compare, 3 of 30 s a side", law, shown(law, 90, 5), seed -> compare(law, 30, 3, seed)));
        answers.add(answer("compare --tolerance 5%, 60 s", law, shown(law, 60, 2), seed -> gate(law, 60, seed)));
        answers.add(answer("history, 20 builds of 30 s", law, 2, seed -> history(law, seed)));
        if (law.areCallersAtRandom()) {
            answers.add(answer("session of 5, within 5 points", law, 5, seed -> session(law, seed)));
        }
        if (law.batch() == 1) {
            answers.add(answer("position, a period", law, 2, seed -> position(law, seed)));
        }
        answers.add(answer("audit, 60 s", law, 2, seed -> audit(law, seed)));
        return answers.stream();
    }

    /** Of a service whose changes hardly come round in a run nothing is promised: {@link Answer#NO_GOAL}. */
    private static double shown(Law law, int seconds, double goal) {
        return seconds >= 10 * law.roundSeconds() ? goal : Answer.NO_GOAL;
    }

    private static Answer answer(String what, Law law, double goal, LongFunction<Outcome> once) {
        return new Answer(what, law.words(), goal, RUNS, once);
    }

    private static SplittableRandom random(long seed) {
        return new SplittableRandom(seed * 104_729L + 7);
    }

    private record Request(long dueNanos, long nanos) {
        long endNanos() {
            return dueNanos + nanos;
        }
    }

    private static List<Request> requests(Law law, int seconds, int perSecond, SplittableRandom random) {
        List<Request> requests = new ArrayList<>();
        law.run(
                seconds,
                perSecond,
                random,
                (second, millis) ->
                        requests.add(new Request(Math.round(second * RunFixture.S), Math.round(millis * MILLI))));
        return requests;
    }

    private static Workload workload(int perSecond) {
        return new Workload.Open(new Poisson(Rate.perSecond(perSecond), 1));
    }

    /** As a run records it: what ends after the run is seen in the drain. */
    private static RunResult run(Law law, int seconds, int perSecond, SplittableRandom random) {
        RunFixture fixture = new RunFixture().workload(workload(perSecond), Duration.ofSeconds(seconds));
        List<Request> requests = requests(law, seconds, perSecond, random);
        requests.sort(Comparator.comparingLong(Request::endNanos));
        int second = 1;
        for (Request request : requests) {
            for (; second < seconds && request.endNanos() >= second * RunFixture.S; second++) {
                fixture.until(second * RunFixture.S);
            }
            fixture.answeredAt(request.dueNanos(), 1, request.nanos());
        }
        for (; second <= seconds; second++) {
            fixture.until(second * RunFixture.S);
        }
        return fixture.ended(RunSpan.Ending.COMPLETE, seconds * RunFixture.S).result();
    }

    private static List<Distribution> times(RunResult run) {
        return ComparedRun.stretches(run.intervals()).stream()
                .map(Recording::responseAtLeast)
                .toList();
    }

    private static Outcome interval(Law law, double percentile, int seconds, int perSecond, long seed) {
        Optional<RunIntervals> found = RunIntervals.of(times(run(law, seconds, perSecond, random(seed))));
        if (found.isEmpty()) {
            return Outcome.NONE;
        }
        QuantileInterval interval = found.get().at(percentile);
        // as exact as times are recorded
        double truth = MILLI * law.truth(percentile, perSecond);
        return DoubleStream.of(0.9995, 1, 1.0005)
                        .mapToLong(off -> Math.round(truth * off))
                        .anyMatch(nanos -> interval.lowNanos().orElse(0) <= nanos
                                && nanos <= interval.highNanos().orElse(Long.MAX_VALUE))
                ? interval.highNanos().isEmpty() ? Outcome.NONE : Outcome.RIGHT
                : Outcome.WRONG;
    }

    private static Outcome looks(Law law, double percentile, double ofTruth, long seed) {
        int longest = 480;
        RunPlan plan = RunPlan.builder(workload(PER_SECOND))
                .duration(Duration.ofSeconds(longest))
                .build();
        long limit = Math.round(ofTruth * MILLI * law.truth(percentile, PER_SECOND));
        ServiceLevelObjective slo =
                new ServiceLevelObjective.Percentile(percentile, new ServiceLevelObjective.Ceiling(false), limit);
        SequentialTest looks = new SequentialTest(plan, List.of(slo), false);
        List<Interval> intervals = new ArrayList<>();
        for (Interval interval : run(law, longest, PER_SECOND, random(seed)).intervals()) {
            intervals.add(interval);
            if (looks.add(interval)) {
                Recording total = Recording.sum(
                        intervals.stream().map(Interval::recording).toList());
                JudgedObjective.Status status = looks.evidence(RunResult.soFar(plan, total, intervals))
                        .judge(slo)
                        .status();
                return Answer.rightIf(
                        status == (ofTruth < 1 ? JudgedObjective.Status.MISSED : JudgedObjective.Status.MET));
            }
        }
        return Outcome.NONE;
    }

    private static Outcome steady(Law law, int seconds, long seed) {
        return Answer.rightIf(Observations.of(run(law, seconds, PER_SECOND, random(seed)))
                .change()
                .isEmpty());
    }

    private static ComparedSide side(Law law, int seconds, int runs, SplittableRandom random) {
        return new ComparedSide(
                law.words(),
                IntStream.range(0, runs)
                        .mapToObj(i -> {
                            Observations seen = Observations.of(run(law, seconds, PER_SECOND, random));
                            return ComparedRun.of(
                                    "run " + i, seen, RunVerdict.of(seen, List.of(), RequiredCertainty.PLAIN));
                        })
                        .toList());
    }

    private static Comparison comparison(Law law, int seconds, int runs, long seed) {
        SplittableRandom random = random(seed);
        return Comparison.of(side(law, seconds, runs, random), side(law, seconds, runs, random));
    }

    private static Outcome compare(Law law, int seconds, int runs, long seed) {
        Comparison comparison = comparison(law, seconds, runs, seed);
        return switch (comparison.outcome()) {
            case SAME -> Outcome.RIGHT;
            case CANNOT_TELL -> Outcome.NONE;
            default -> comparison.doubts().isEmpty() ? Outcome.WRONG : Outcome.NONE;
        };
    }

    private static Outcome gate(Law law, int seconds, long seed) {
        Gate gate = Gate.of(comparison(law, seconds, 1, seed), Gate.Question.within(0.05));
        return gate.isRegression()
                ? Outcome.WRONG
                : gate.decision() == Gate.Decision.NO_REGRESSION ? Outcome.RIGHT : Outcome.NONE;
    }

    private static Outcome history(Law law, long seed) {
        SplittableRandom random = random(seed);
        List<List<Distribution>> builds = IntStream.range(0, 20)
                .mapToObj(i -> times(run(law, 30, PER_SECOND, random)))
                .toList();
        boolean wanders = false;
        for (double percentile : PERCENTILES) {
            LevelChanges found = LevelChanges.of(
                    builds.stream()
                            .map(build -> List.of(LevelRun.of(build, percentile)))
                            .toList(),
                    0.02 / PERCENTILES.size());
            wanders |= found.wanders();
            if (!found.changes().isEmpty() && !found.wanders()) {
                return Outcome.WRONG;
            }
        }
        return wanders ? Outcome.NONE : Outcome.RIGHT;
    }

    /** The share of sessions that meet something beyond p90: from what a file keeps, beside each request itself. */
    private static Outcome session(Law law, long seed) {
        RunResult run = run(law, 60, PER_SECOND, random(seed));
        RecordedTimeline timeline = new RecordedTimeline();
        run.intervals()
                .forEach(interval -> timeline.add(
                        interval.startNanos(),
                        interval.endNanos(),
                        interval.recording().responseAtLeast()));
        List<Request> requests = requests(law, 60, PER_SECOND, random(seed));
        SessionReplay exact = new SessionReplay(
                requests.stream().mapToLong(Request::dueNanos).toArray(),
                requests.stream().mapToLong(Request::nanos).toArray());
        long beyond = Math.round(MILLI * law.truth(90, PER_SECOND));
        return Answer.rightIf(Math.abs(share(timeline.replay(), beyond) - share(exact, beyond)) <= 0.05);
    }

    private static double share(SessionReplay replay, long beyond) {
        Distribution slowest = replay.slowest(5, 1_037_000_000L);
        return (double) slowest.countAbove(beyond) / slowest.count();
    }

    /** One after the other on one connection, whose place does not matter. */
    private static Outcome position(Law law, long seed) {
        List<Request> requests = requests(law, 60, PER_SECOND, random(seed));
        List<SerialRequest> serial = IntStream.range(0, requests.size())
                .mapToObj(i ->
                        new SerialRequest(i + 1, true, 0, 0, 0, requests.get(i).nanos(), 0))
                .toList();
        return Answer.rightIf(
                PositionSearch.find(List.of(serial), new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP).stream()
                        .noneMatch(found -> found.code().equals("period")));
    }

    /** Sent as they were meant: nothing is hidden. */
    private static Outcome audit(Law law, long seed) {
        ResultCollector collected = new ResultCollector();
        requests(law, 60, PER_SECOND, random(seed)).stream()
                .sorted(Comparator.comparingLong(Request::endNanos))
                .forEach(request -> collected.request(request.dueNanos(), request.nanos(), -1, false));
        List<AuditResult> found = Audit.of("file", collected, 0.1);
        return found.isEmpty()
                ? Outcome.NONE
                : switch (found.get(0).verdict()) {
                    case SOUND -> Outcome.RIGHT;
                    case CANNOT_TELL -> Outcome.NONE;
                    case HIDES -> Outcome.WRONG;
                };
    }
}
