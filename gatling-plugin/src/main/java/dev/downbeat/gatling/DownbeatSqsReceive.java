package dev.downbeat.gatling;

import dev.downbeat.gatling.request.SqsDraft;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import java.time.Duration;

/**
 * Receives messages from a queue, for {@code exec}. Time with an empty queue is not part of the response time. A
 * response without a message is no failure. Immutable: each method returns a new request.
 */
public final class DownbeatSqsReceive implements ActionBuilder {
    private static final int MOST = 10;
    private static final int LONGEST_SECONDS = 20;

    private final SqsDraft draft;
    private final int most;
    private final Duration wait;

    DownbeatSqsReceive(SqsDraft draft) {
        this(draft, 1, Duration.ofSeconds(LONGEST_SECONDS));
    }

    private DownbeatSqsReceive(SqsDraft draft, int most, Duration wait) {
        this.draft = draft;
        this.most = most;
        this.wait = wait;
    }

    /**
     * The maximum number of messages; the default is 1.
     *
     * @param count from 1 to 10
     */
    public DownbeatSqsReceive maxMessages(int count) {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("maxMessages must be from 1 to " + MOST + ", but was " + count);
        }
        return new DownbeatSqsReceive(draft, count, wait);
    }

    /**
     * How long the service waits for a message; the default is 20 s.
     *
     * @param time whole seconds from 0 to 20
     */
    public DownbeatSqsReceive waitTime(Duration time) {
        return new DownbeatSqsReceive(draft, most, SqsDraft.wholeSeconds("waitTime", time, LONGEST_SECONDS));
    }

    /**
     * Adds Gatling checks on the service's JSON response, such as {@code
     * jsonPath("$.Messages[0].ReceiptHandle").saveAs("handle")}. Requires Gatling's HTTP module.
     */
    public DownbeatSqsReceive check(CheckBuilder... more) {
        return new DownbeatSqsReceive(draft.withChecks(more), most, wait);
    }

    @Override
    public io.gatling.core.action.builder.ActionBuilder asScala() {
        int count = most;
        Duration time = wait;
        return draft.action(session -> (queue, intendedAt, listener) -> queue.receive(count, time, listener));
    }
}
