package dev.downbeat.cli.measurement;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Stage;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Converts a load to the engine's workload.
 *
 * @param load with a rate and, if random, a seed
 * @param turn index of the slice in a run of turns; each has its own random numbers, equal in all variants
 * @param script requests of each session, if a file defines them
 */
public record Schedule(LoadOptions load, int turn, Optional<RequestSet> script) {
    /** The most random streams of a turn; only steady loads run in turns and need no more. */
    private static final int STREAMS_PER_TURN = 16;

    public Schedule(LoadOptions load, int turn) {
        this(load, turn, Optional.empty());
    }

    public Workload workload() throws IOException {
        if (load.closed().isPresent()) {
            return new Workload.Closed(load.closedClients(), thinkTime());
        }
        if (load.sessions().isPresent()) {
            int requests = requests();
            return new Workload.PartlyOpen(process(load.sessions().get(), Duration.ZERO, 0), requests, thinkTime());
        }
        return new Workload.Open(arrivals());
    }

    /** Requests per session: as many as its file has, or as given. */
    private int requests() {
        Refusal.when(
                script.isPresent() && load.sessionRequests().isPresent(),
                "--session-requests is for a single request: a session sends all requests of its file");
        Refusal.when(
                script.isEmpty() && load.sessionRequests().isEmpty(),
                "--sessions needs --session-requests K, or a file of requests such as shop.http");
        return script.map(RequestSet::size)
                .or(() -> load.sessionRequests().map(Long::intValue))
                .orElseThrow();
    }

    private ThinkTime thinkTime() {
        ThinkTime defaultThinkTime = load.think()
                .map(think -> think.toThinkTime(think.exponential() ? seed(1) : 0))
                .orElseGet(ThinkTime::none);
        return script.map(set -> set.think(defaultThinkTime)).orElse(defaultThinkTime);
    }

    private ArrivalProcess arrivals() throws IOException {
        if (load.replay().isPresent()) {
            return scaled(recorded(load.replay().get(), Replay::readOffsets, StandardCharsets.UTF_8));
        }
        if (load.loggedRequests().isPresent()) {
            return scaled(load.loggedRequests().get().lines(seed(0)).times());
        }
        if (load.replayLog().isPresent()) {
            // a log may hold bytes that are not UTF-8, and only its time stamps matter
            return scaled(recorded(load.replayLog().get(), Replay::readAccessLog, StandardCharsets.ISO_8859_1));
        }
        if (!load.stages().isEmpty()) {
            return steps();
        }
        OfferedRate offered = load.rate().orElseThrow();
        Duration ramp = load.ramp().orElse(Duration.ZERO);
        ArrivalProcess first = process(offered, ramp, 0);
        if (ramp.isZero() || load.wholeDuration().filter(ramp::equals).isPresent()) {
            return first;
        }
        ArrivalProcess last = process(OfferedRate.steady(offered.to()), Duration.ZERO, 1);
        return new Steps(List.of(new Step(first, ramp.toNanos()), new Step(last, Step.ENDLESS)));
    }

    /** Parses the lines of a recording; the second argument names it in messages. */
    private interface RecordingReader {
        Replay read(BufferedReader lines, String name) throws IOException;
    }

    private static Replay recorded(Path file, RecordingReader reader, Charset charset) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, charset)) {
            return reader.read(lines, file.toString());
        }
    }

    private Replay scaled(Replay recorded) {
        return load.speed().map(speed -> speed.of(recorded)).orElse(recorded);
    }

    private Steps steps() {
        List<Step> steps = new ArrayList<>();
        for (Stage stage : load.stages()) {
            steps.add(new Step(
                    process(stage.rate(), stage.duration(), steps.size()),
                    stage.duration().toNanos()));
        }
        return new Steps(steps);
    }

    private ArrivalProcess process(OfferedRate offered, Duration length, int part) {
        boolean isConstant = load.arrivals().filter(ArrivalLaw.CONSTANT::equals).isPresent();
        return offered.over(length, isConstant ? new Spacing.Even() : new Spacing.Poisson(seed(part)));
    }

    private long seed(int part) {
        return load.seed().orElseThrow().part(part + STREAMS_PER_TURN * turn);
    }

    /** The highest rate of a plan, in requests per second of all generators; 0 if it is not known beforehand. */
    public static double peakPerSecond(RunPlan plan) {
        return plan.workload() instanceof Workload.Open open ? peakPerSecond(open.arrivals()) : 0;
    }

    private static double peakPerSecond(ArrivalProcess arrivals) {
        if (arrivals instanceof Constant constant) {
            return constant.rate().perSecond();
        }
        if (arrivals instanceof Poisson poisson) {
            return poisson.rate().perSecond();
        }
        if (arrivals instanceof Ramp ramp) {
            return Math.max(ramp.from().perSecond(), ramp.to().perSecond());
        }
        if (arrivals instanceof Steps steps) {
            return steps.steps().stream()
                    .map(Step::process)
                    .mapToDouble(Schedule::peakPerSecond)
                    .max()
                    .orElse(0);
        }
        return 0;
    }
}
