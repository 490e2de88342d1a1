package dev.downbeat.sqs.message;

import dev.downbeat.exchange.TargetCounts;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Accounts for messages to be sent: each one begun was sent, was not sent, or is unknown. Thread-safe. */
public final class SentMessages {
    private final LongAdder begun = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder notSent = new LongAdder();

    public void begin(int count) {
        begun.add(count);
    }

    public void end(MessageFate fate, int count) {
        switch (fate) {
            case SENT -> sent.add(count);
            case NOT_SENT -> notSent.add(count);
            case UNKNOWN -> {} // unknown is the state since they were begun
        }
    }

    public void count(Map<String, Long> counts) {
        counts.put("messages sent", sent.sum());
        TargetCounts.putIfAny(counts, "messages not sent", notSent.sum());
        TargetCounts.putIfAny(counts, "messages of unknown fate", begun.sum() - sent.sum() - notSent.sum());
    }

    /** The fate of a message. */
    public enum MessageFate {
        SENT,
        NOT_SENT,
        /** There was no response, or one that confirms nothing. */
        UNKNOWN
    }
}
