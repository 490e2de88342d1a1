package dev.downbeat.loopback;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.loopback.options.CannedResponse;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.loopback.socket.AcceptedWire;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Responds to one HTTP/2 connection's requests, or withholds the response. Guarded by its owner. */
final class Http2Replies {
    private static final int MOST_PIECES = 1_000;

    private final AcceptedWire wire;
    private final Http2Answers answers;
    private final Http2Schedule schedule;
    private final LoopbackStats.Counters counters;
    private final RandomGenerator random;
    private final long bodyTimeNanos;

    /** Streams without a response. */
    private final Set<Integer> held = new HashSet<>();

    Http2Replies(
            AcceptedWire wire,
            Http2Answers answers,
            Http2Schedule schedule,
            LoopbackStats.Counters counters,
            RandomGenerator random,
            long bodyTimeNanos) {
        this.wire = wire;
        this.answers = answers;
        this.schedule = schedule;
        this.counters = counters;
        this.random = random;
        this.bodyTimeNanos = bodyTimeNanos;
    }

    /** Whether there are unabandoned requests without a response. */
    boolean holdAny() {
        return !held.isEmpty();
    }

    /** The client no longer waits for it. */
    void forget(int stream) {
        held.remove(stream);
    }

    /** Handles a request whose response is due. */
    void answer(int stream, boolean isHead, Treatment treatment) throws IOException {
        Misbehaviour misbehaviour = treatment.misbehaviour();
        if (misbehaviour.answers()) {
            counters.requestsAnswered.increment();
        } else {
            counters.requestsSpoiled.increment();
        }
        int bytes = isHead || CannedResponse.isBodiless(treatment.status()) ? 0 : treatment.bodyBytes();
        String status = Integer.toString(treatment.status());
        switch (misbehaviour) {
            case NONE, REFUSE_STREAM -> plain(stream, status, bytes, true, false);
            case HEADERS_NEVER -> held.add(stream);
            case RESET -> {
                counters.connectionsClosed.increment();
                wire.reset();
            }
            case CLOSE_WITHOUT_ANSWER -> {
                counters.connectionsClosed.increment();
                wire.close();
            }
            case GARBAGE -> {
                byte[] garbage = new byte[256];
                random.nextBytes(garbage);
                garbage[0] = (byte) 0x80; // longer than any valid frame
                answers.frames().bytes(garbage, 0, garbage.length);
                end();
            }
            case BAD_STATUS_LINE -> answers.head(stream, true, "2x0");
            case HALF_ANSWER -> {
                int whole = Math.max(2, bytes);
                answers.head(stream, false, status, "content-length", Integer.toString(whole));
                answers.part(stream, Math.min(whole / 2, 1000), false);
                end();
            }
            case RESET_STREAM -> answers.frames().reset(stream, ErrorCode.INTERNAL_ERROR);
            case SLOW_BODY -> slowly(stream, status, bytes);
            case CHUNKED -> plain(stream, status, bytes, false, true);
            case NO_LENGTH -> plain(stream, status, bytes, false, false);
            case CONTINUE_FIRST -> {
                answers.head(stream, false, "100");
                plain(stream, status, bytes, true, false);
            }
            case CUT_FRAMES -> {
                answers.cut();
                plain(stream, status, bytes, true, false);
            }
            default -> {
                byte[] frames = misbehaviour.frames(stream);
                answers.frames().bytes(frames, 0, frames.length);
            }
        }
    }

    private void end() throws IOException {
        counters.connectionsClosed.increment();
        answers.flush();
        wire.finish();
        wire.close();
    }

    private void plain(int stream, String status, int bytes, boolean sendsContentLength, boolean hasTrailer) {
        if (sendsContentLength) {
            String length = Integer.toString(bytes);
            answers.head(stream, bytes == 0, status, "content-type", "text/plain", "content-length", length);
        } else {
            answers.head(stream, bytes == 0, status, "content-type", "text/plain");
        }
        if (bytes > 0) {
            answers.body(stream, bytes, hasTrailer);
        }
    }

    private void slowly(int stream, String status, int bytes) {
        answers.head(stream, bytes == 0, status, "content-length", Integer.toString(bytes));
        int pieces = Math.min(bytes, MOST_PIECES);
        long startAt = System.nanoTime();
        for (int i = 1; i <= pieces; i++) {
            boolean isLast = i == pieces;
            int size = isLast ? bytes - bytes / pieces * (pieces - 1) : bytes / pieces;
            long at = startAt + (long) ((double) i / pieces * bodyTimeNanos);
            schedule.later(at, stream, () -> answers.part(stream, size, isLast));
        }
    }
}
