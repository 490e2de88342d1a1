package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.recorder.AnswerWatch;

/** Tracks which requests wait for a response, and when responses arrived. Not thread-safe. */
final class Answers {
    private final AnswerWatch watch = new AnswerWatch();
    private final LateBunch bunch = new LateBunch();
    private long out;

    Answers(long startAt) {
        watch.startsAt(startAt);
    }

    AnswerWatch watch() {
        return watch;
    }

    void due(Intent intent, long nowAt) {
        if (!intent.out(true)) {
            intent.setBunch(bunch.leaves(intent.latenessNanos(nowAt), out, nowAt));
            out++;
            watch.due(nowAt);
        }
    }

    void withdraw(Intent intent) {
        out -= intent.out(false) ? 1 : 0;
    }

    /** The request had nothing to receive for part of its time; called before {@link #answered}. */
    void idled(Exchange seen) {
        if (seen.idleNanos > 0) {
            watch.nothingToAnswer(seen.idleNanos, seen.completedAt - seen.serviceNanos());
        }
    }

    void answered(Intent intent, long at) {
        withdraw(intent);
        watch.answered(at, intent.ageNanos(at), out > 0);
    }

    void gaveUp(Intent intent, long at) {
        withdraw(intent);
        watch.gaveUp(at, out > 0);
    }
}
