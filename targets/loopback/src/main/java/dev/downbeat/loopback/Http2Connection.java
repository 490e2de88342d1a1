package dev.downbeat.loopback;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.FrameHandler;
import dev.downbeat.h2.FrameReader;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.loopback.options.Http2Conduct;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.loopback.socket.AcceptedWire;
import dev.downbeat.loopback.socket.DueTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Serves one HTTP/2 connection: its own thread reads, and a second one waits for responses that are not due at once
 * ({@link Http2Schedule}). Shared state is guarded by this object.
 */
final class Http2Connection implements FrameHandler {
    private static final int WHOLE_WINDOW = 1 << 30;

    private final AcceptedWire wire;
    private final LoopbackOptions options;
    private final ServiceSlots slots;
    private final LoopbackStats.Counters counters;
    private final RandomGenerator random;
    private final Treatment usual;
    private final Http2Answers answers;
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20);
    private final Map<Integer, Asked> reading = new HashMap<>();
    private final Http2Schedule schedule;
    private final Http2Replies replies;
    private int ordinal;
    private int served;
    private int lastStream;
    private boolean isLeaving;
    private boolean isOver;

    /** A parsed request. */
    private record Asked(boolean isHead, String query) {}

    Http2Connection(AcceptedWire wire, SharedService shared, RandomGenerator random) throws IOException {
        this.wire = wire;
        this.options = shared.options();
        this.slots = shared.slots();
        this.counters = shared.counters();
        this.random = random;
        this.usual = Treatment.of(options);
        this.answers = new Http2Answers(wire.out());
        this.schedule = new Http2Schedule(this, this::goOn, wire::close);
        this.replies = new Http2Replies(wire, answers, schedule, counters, random, options.bodyTimeNanos());
    }

    /** Serves until either side closes; the preface has been read. */
    void serve(InputStream in) throws IOException {
        try {
            Http2Conduct conduct = options.http2();
            new DueTime().await(System.nanoTime() + conduct.settingsDelayNanos());
            synchronized (this) {
                answers.frames()
                        .settings(
                                Frames.MAX_CONCURRENT_STREAMS,
                                conduct.maxStreams(),
                                Frames.INITIAL_WINDOW_SIZE,
                                conduct.windowBytes());
                answers.frames().windowUpdate(0, WHOLE_WINDOW);
                answers.flush();
            }
            FrameReader reader = new FrameReader(this);
            byte[] bytes = new byte[32 * 1024];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                synchronized (this) {
                    reader.feed(bytes, 0, read);
                    goOn();
                }
            }
        } catch (Http2Exception broken) {
            counters.requestsMalformed.increment();
            counters.connectionsClosed.increment();
            synchronized (this) {
                answers.frames().goAway(lastStream, broken.code());
                answers.flush();
            }
            wire.finish();
        } finally {
            synchronized (this) {
                isOver = true;
                schedule.end();
            }
        }
    }

    private void goOn() throws IOException {
        answers.flush();
        finishIfOver();
    }

    /** Closes a retiring connection after its last response. */
    private void finishIfOver() throws IOException {
        if (isLeaving
                && reading.isEmpty()
                && schedule.isEmpty()
                && !replies.holdAny()
                && !answers.hasOpenBodies()
                && !isOver) {
            isOver = true;
            schedule.end();
            counters.connectionsClosed.increment();
            wire.finish();
            wire.close();
        }
    }

    @Override
    public void headers(int stream, boolean endStream, byte[] block, int from, int to) throws Http2Exception {
        StringBuilder path = new StringBuilder();
        StringBuilder method = new StringBuilder();
        decoder.decode(block, from, to, (name, nameFrom, nameTo, value, valueFrom, valueTo) -> {
            String text = new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.ISO_8859_1);
            if (text.equals(":path")) {
                path.append(new String(value, valueFrom, valueTo - valueFrom, StandardCharsets.ISO_8859_1));
            } else if (text.equals(":method")) {
                method.append(new String(value, valueFrom, valueTo - valueFrom, StandardCharsets.ISO_8859_1));
            }
        });
        if (stream <= lastStream || isLeaving) {
            return; // trailers, or not processed: the client has been notified
        }
        ordinal++;
        boolean isRefused = usual.misbehaviour() == Misbehaviour.REFUSE_STREAM && ordinal % 50 == 1;
        if (isRefused) {
            lastStream = stream;
            answers.frames().reset(stream, ErrorCode.REFUSED_STREAM);
            return;
        }
        lastStream = stream;
        int question = path.indexOf("?");
        Asked asked = new Asked(method.toString().equals("HEAD"), question < 0 ? "" : path.substring(question + 1));
        served++;
        if (options.closeAfter() > 0 && served >= options.closeAfter()) {
            isLeaving = true;
            if (options.closeNotice()) {
                answers.frames().goAway(stream, ErrorCode.NO_ERROR);
            }
        }
        reading.put(stream, asked);
        if (endStream) {
            asked(stream);
        }
    }

    /** A request is complete. */
    private void asked(int stream) throws Http2Exception {
        Asked asked = reading.remove(stream);
        if (asked == null) {
            return;
        }
        long arrivedAt = System.nanoTime();
        counters.requestsReceived.increment();
        try {
            Treatment treatment = asked.query.isEmpty() ? usual : usual.with(asked.query);
            long dueAt = slots.admit(arrivedAt, treatment.delay().nextNanos(random));
            schedule.at(dueAt, stream, () -> replies.answer(stream, asked.isHead, treatment));
        } catch (BadRequestException refused) {
            counters.requestsMalformed.increment();
            answers.head(stream, true, "400");
        } catch (IOException gone) {
            throw new Http2Exception(ErrorCode.INTERNAL_ERROR, String.valueOf(gone.getMessage()));
        }
    }

    @Override
    public void dataBegins(int stream, int bytes) {
        if (bytes > 0) { // data is read at once, so only the first part must fit
            answers.frames().windowUpdate(stream, bytes);
            answers.frames().windowUpdate(0, bytes);
        }
    }

    @Override
    public void data(int stream, byte[] bytes, int from, int to) {}

    @Override
    public void dataEnds(int stream, boolean endStream) throws Http2Exception {
        if (endStream) {
            asked(stream);
        }
    }

    @Override
    public void reset(int stream, ErrorCode code) {
        reading.remove(stream);
        schedule.forget(stream);
        replies.forget(stream);
        answers.forget(stream);
    }

    @Override
    public void setting(int number, long value) {
        if (number == Frames.INITIAL_WINDOW_SIZE) {
            answers.firstWindow((int) value);
        } else if (number == Frames.HEADER_TABLE_SIZE) {
            answers.tableSize(value);
        }
    }

    @Override
    public void settingsEnd() {
        answers.frames().settingsAck();
    }

    @Override
    public void settingsAcknowledged() {}

    @Override
    public void ping(long data) {
        answers.frames().pingAck(data);
    }

    @Override
    public void goAway(int stream, ErrorCode code) {}

    @Override
    public void windowUpdate(int stream, int bytes) {
        answers.widen(stream, bytes);
    }

    @Override
    public void other() {}
}
