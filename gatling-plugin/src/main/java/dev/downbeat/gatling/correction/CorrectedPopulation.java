package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.gatling.version.GatlingComponents;
import io.gatling.commons.util.Clock;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.controller.inject.InjectionProfile;
import io.gatling.core.controller.inject.Workload;
import io.gatling.core.controller.inject.open.OpenInjectionProfile;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.structure.ScenarioBuilder;
import io.gatling.core.structure.ScenarioContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** A scenario's injection, observed: Gatling's own profile decides, and each user's intended start is recorded. */
final class CorrectedPopulation implements InjectionProfile {
    private final InjectionProfile profile;
    private final CorrectedRun run;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger peakUsers = new AtomicInteger();
    private final LongAdder paced = new LongAdder();
    private final LongAdder following = new LongAdder();
    private final LongAdder inPacedLoops = new LongAdder();
    private final AtomicLong injected = new AtomicLong();
    /** Users handed out, in order, with started ones removed from the head. Guarded by itself. */
    private final ArrayDeque<RecordingEventLoops.Arrival> awaited = new ArrayDeque<>();

    private volatile boolean ended;
    private @Nullable ScenarioContext context;

    CorrectedPopulation(InjectionProfile profile, CorrectedRun run) {
        this.profile = profile;
        this.run = run;
    }

    /**
     * The single action builder at the top of a corrected scenario. It builds the user's chain in a context with
     * Downbeat's statistics, clock and HTTP client.
     */
    ActionBuilder root(
            ScenarioBuilder scenario, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols) {
        return (plain, next) -> {
            ScenarioContext corrected = run.context(plain, protocols);
            context = corrected;
            return scenario.build(corrected, next);
        };
    }

    boolean isOpen() {
        return profile instanceof OpenInjectionProfile || profile instanceof BeatInjection;
    }

    /** Runs a step on a user's event loop at an instant. */
    void at(long instantAt, EventLoop loop, Runnable step) {
        RecordingEventLoops.at(instantAt, loop, () -> {
            if (!ended) {
                step.run();
            }
        });
    }

    boolean isOver() {
        return ended;
    }

    LoopConditions conditions() {
        return run.conditions();
    }

    void paced(int change) {
        paced.add(change);
    }

    /** A request was planned that is sent after a response. */
    void followed(int change, boolean inPacedLoop) {
        following.add(change);
        if (inPacedLoop) {
            inPacedLoops.add(change);
        }
    }

    boolean skips() {
        return run.settings().pace() == PaceMode.SKIP_AND_COUNT;
    }

    long injected() {
        return injected.get();
    }

    /** Iterations of paced loops, but for those that users begin with. */
    long paced() {
        return paced.sum();
    }

    /** Requests sent after a response. */
    long following() {
        return following.sum();
    }

    /** Whether paces plan the smaller part of the requests; those within a paced iteration belong to it. */
    boolean isUnpaced() {
        return paced() < injected() + following() - inPacedLoops.sum();
    }

    int peakUsers() {
        return peakUsers.get();
    }

    @Override
    public scala.Option<Object> totalUserCount() {
        return profile instanceof BeatInjection beats ? scala.Option.apply(beats.count()) : profile.totalUserCount();
    }

    @Override
    public Workload workload(
            Scenario scenario,
            AtomicLong userIds,
            long startMillis,
            EventLoopGroup loops,
            StatsEngine stats,
            Clock clock) {
        Start start = run.start(startMillis);
        ScenarioContext built = Objects.requireNonNull(context, "the scenario has not been built");
        Function1<Session, Session> onStart = built.protocolComponentsRegistry().onStart();
        Function1<Session, BoxedUnit> onExit =
                built.protocolComponentsRegistry().onExit();
        Scenario watched = GatlingComponents.scenario(
                scenario,
                profile,
                session -> onStart.apply(started(session)),
                session -> {
                    left(session);
                    return onExit.apply(session);
                },
                built);
        RecordingEventLoops recording = new RecordingEventLoops(loops, this::arrive);
        if (profile instanceof BeatInjection beats) {
            return ArrivalsWorkload.of(beats, recording, watched, userIds, stats, start);
        }
        Clock fixedClock = () -> startMillis;
        Workload inner = profile.workload(
                watched, userIds, startMillis, recording.loops(), stats, isOpen() ? fixedClock : clock);
        return CapturedWorkload.of(isOpen(), inner, recording, watched, userIds, stats, start);
    }

    /**
     * A user is due at an instant and is started then by its own event loop. A timer thread that wakes the event loop
     * would cost more per user than Gatling itself.
     */
    private void arrive(RecordingEventLoops.Arrival arrival) {
        synchronized (awaited) {
            while (!awaited.isEmpty() && awaited.peekFirst().hasLeft()) {
                awaited.removeFirst();
            }
            awaited.addLast(arrival);
        }
        RecordingEventLoops.at(arrival.intendedAt(), arrival.loop(), () -> {
            if (arrival.leave()) {
                arrival.start(planned(arrival));
            }
        });
    }

    private IntendedRequest planned(RecordingEventLoops.Arrival arrival) {
        Journal journal =
                run.journal(); // before the arrival's lock: the end of a run locks the run first, then the arrival
        return arrival.planned(() -> {
            injected.incrementAndGet();
            return journal.plan(arrival.intendedAt(), run.nextClient());
        });
    }

    /** Ends the run: no further users start, and those that were due are planned all the same. */
    void end(long endAt) {
        ended = true;
        List<RecordingEventLoops.Arrival> waiting;
        synchronized (awaited) {
            waiting = List.copyOf(awaited);
            awaited.clear();
        }
        waiting.forEach(arrival -> {
            if (arrival.leave() && arrival.intendedAt() - endAt <= 0) {
                planned(arrival);
            }
        });
    }

    private Session started(Session raw) {
        RecordingEventLoops.UserStart start = RecordingEventLoops.starting();
        // A distinct but equal String, the only part of a session that reaches Gatling's statistics.
        String name = new String(raw.scenario());
        UserTiming timing = new UserTiming(run.journal(), this, (int) raw.userId(), start.first());
        run.users().put(name, timing);
        peakUsers.accumulateAndGet(users.incrementAndGet(), Math::max);
        Session session = new Session(
                name, raw.userId(), raw.attributes(), raw.baseStatus(), raw.blockStack(), raw.onExit(), start.loop());
        return session.set(UserTiming.ATTRIBUTE, timing);
    }

    private void left(Session session) {
        UserTiming timing = run.users().remove(session.scenario());
        if (timing != null) {
            users.decrementAndGet();
            timing.left(session, System.nanoTime());
        }
    }
}
