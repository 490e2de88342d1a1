package dev.downbeat.gatling.ledger;

import scala.Option;

/**
 * Exercises each fate once, on a discarded journal, before the first user, so that all classes for it are loaded. At
 * the first real failure loading might fail, since the cause may be that this process has no file descriptors left. On
 * a cold JVM, the first users would also wait for it.
 */
public final class ClassPreloading {
    private static final long STEP_NANOS = 1_000;

    private ClassPreloading() {}

    public static void play() {
        long startAt = System.nanoTime();
        Journal journal = new Journal(startAt, true);
        for (int fate = 0; fate < 6; fate++) {
            IntendedRequest intent = fate > 0 ? journal.plan(startAt, fate) : new IntendedRequest(fate, startAt);
            intent.name(scala.collection.immutable.List$.MODULE$.empty(), "rehearsed");
            if (fate == 0) {
                journal.planSent(intent, startAt);
            } else if (fate == 1) {
                journal.move(intent, startAt);
            }
            if (fate < 5) {
                intent.send(startAt);
                journal.sent(intent, startAt);
            }
            RequestInFlight sent = new RequestInFlight(intent, journal);
            switch (fate) {
                case 0 -> sent.endedAt(startAt + STEP_NANOS, false, () -> sent.settle(true, ""));
                case 1 ->
                    sent.endedAt(
                            startAt + STEP_NANOS,
                            false,
                            () -> sent.settle(false, FailureReasons.of(Option.empty(), Option.empty())));
                case 2 -> sent.endedAt(startAt + STEP_NANOS, true, () -> sent.settle(false, ""));
                case 3 -> sent.endedAt(startAt + STEP_NANOS, false, () -> {});
                default -> {} // in flight or unsent at the end
            }
        }
        journal.waiting(1, startAt);
        journal.neverSent(journal.plan(startAt, 6), startAt);
        journal.unbuilt(journal.plan(startAt, 7), startAt, "rehearsed");
        journal.missed(startAt, startAt + STEP_NANOS, IntendedRequest.NOT_BEGUN);
        journal.end(startAt + 2 * STEP_NANOS);
    }
}
