package dev.downbeat.loopback;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.FrameHandler;
import dev.downbeat.h2.FrameReader;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.Http2Exception;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves one connection of HTTP/2: its own thread reads, and another, where a response is not due at once, waits for the
 * next that is. All that both touch is guarded by this object.
 */
final class Http2Connection implements FrameHandler {
    private static final int WHOLE_WINDOW = 1 << 30;
    private static final long SPIN_NANOS = 30_000;
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Wire wire;
    private final LoopbackOptions options;
    private final ServiceSlots slots;
    private final LoopbackStats.Counters counters;
    private final RandomGenerator random;
    private final Treatment usual;
    private final Http2Answers answers;
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20);
    private final Map<Integer, Asked> reading = new HashMap<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private @Nullable Thread deliverer;
    private int ordinal;
    private int served;
    private int lastStream;
    private int unanswered;
    private boolean isLeaving;
    private boolean isOver;
    private long dues;

    /** What a request asks for. */
    private record Asked(boolean isHead, String query) {}

    /** Something to be done at an instant. */
    private record Due(long at, long number, int stream, Step step) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at == other.at ? Long.compare(number, other.number) : at - other.at < 0 ? -1 : 1;
        }
    }

    /** What is done. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    Http2Connection(Wire wire, LoopbackServer.Shared shared, RandomGenerator random) throws IOException {
        this.wire = wire;
        this.options = shared.options();
        this.slots = shared.slots();
        this.counters = shared.counters();
        this.random = random;
        this.usual = Treatment.of(options);
        this.answers = new Http2Answers(wire.out());
    }

    /** Serves until one side closes; the preface has been read. */
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
                    answers.flush();
                    finishIfOver();
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
                LockSupport.unpark(deliverer);
            }
        }
    }

    private void deliver() {
        TimerSlack.reduce();
        try {
            while (deliverFirst()) {
                Thread.onSpinWait();
            }
        } catch (IOException gone) {
            wire.close();
        }
    }

    /** Does what is due, or waits for it as long as nothing that is due earlier comes. */
    private boolean deliverFirst() throws IOException {
        long remaining = IDLE_NANOS;
        synchronized (this) {
            if (isOver) {
                return false;
            }
            Due first = due.peek();
            if (first != null) {
                remaining = first.at - System.nanoTime();
                if (remaining <= 0) {
                    due.remove();
                    first.step.run();
                    answers.flush();
                    finishIfOver();
                    return true;
                }
            }
        }
        if (remaining > 2 * SPIN_NANOS) {
            LockSupport.parkNanos(this, remaining - SPIN_NANOS);
        }
        return true;
    }

    private void at(long instant, int stream, Step step) throws IOException {
        if (instant - System.nanoTime() <= 0) {
            step.run();
        } else {
            later(instant, stream, step);
        }
    }

    private void later(long instant, int stream, Step step) {
        due.add(new Due(instant, dues++, stream, step));
        if (deliverer == null) {
            Thread thread = new Thread(null, this::deliver, "loopback-deliverer", 256 * 1024);
            thread.setDaemon(true);
            deliverer = thread;
            thread.start();
        } else {
            LockSupport.unpark(deliverer);
        }
    }

    /** After the last answer of a connection that leaves. */
    private void finishIfOver() throws IOException {
        if (isLeaving && unanswered == 0 && !answers.hasOpenBodies() && !isOver) {
            isOver = true;
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
            return; // trailers, or not processed: the client has been told
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
        unanswered++;
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
            at(dueAt, stream, () -> answer(stream, asked, treatment));
        } catch (BadRequestException refused) {
            unanswered--;
            counters.requestsMalformed.increment();
            answers.head(stream, true, "400");
        } catch (IOException gone) {
            throw new Http2Exception(ErrorCode.INTERNAL_ERROR, String.valueOf(gone.getMessage()));
        }
    }

    private void answer(int stream, Asked asked, Treatment treatment) throws IOException {
        unanswered--;
        Misbehaviour misbehaviour = treatment.misbehaviour();
        if (misbehaviour.answers()) {
            counters.requestsAnswered.increment();
        } else {
            counters.requestsSpoiled.increment();
        }
        int bytes = asked.isHead || Answer.isBodiless(treatment.status()) ? 0 : treatment.bodyBytes();
        String status = Integer.toString(treatment.status());
        switch (misbehaviour) {
            case HEADERS_NEVER -> unanswered++;
            case RESET -> {
                counters.connectionsClosed.increment();
                wire.reset();
            }
            case CLOSE_WITHOUT_ANSWER -> {
                counters.connectionsClosed.increment();
                wire.close();
            }
            case GARBAGE -> {
                counters.connectionsClosed.increment();
                byte[] garbage = new byte[256];
                random.nextBytes(garbage);
                garbage[0] = (byte) 0x80; // longer than any frame may be
                answers.frames().bytes(garbage, 0, garbage.length);
                answers.flush();
                wire.finish();
                wire.close();
            }
            case BAD_STATUS_LINE -> answers.head(stream, true, "2x0");
            case HALF_ANSWER -> {
                counters.connectionsClosed.increment();
                int whole = Math.max(2, bytes);
                answers.head(stream, false, status, "content-length", Integer.toString(whole));
                answers.part(stream, Math.min(whole / 2, 1000), false);
                answers.flush();
                wire.finish();
                wire.close();
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
            case NONE, REFUSE_STREAM -> plain(stream, status, bytes, true, false);
        }
    }

    private void plain(int stream, String status, int bytes, boolean saysLength, boolean hasTrailer) {
        if (saysLength) {
            answers.head(
                    stream,
                    bytes == 0,
                    status,
                    "content-type",
                    "text/plain",
                    "content-length",
                    Integer.toString(bytes));
        } else {
            answers.head(stream, bytes == 0, status, "content-type", "text/plain");
        }
        if (bytes > 0) {
            answers.body(stream, bytes, hasTrailer);
        }
    }

    private void slowly(int stream, String status, int bytes) {
        answers.head(stream, bytes == 0, status, "content-length", Integer.toString(bytes));
        int pieces = Math.min(bytes, 1_000);
        long startAt = System.nanoTime();
        for (int i = 1; i <= pieces; i++) {
            boolean isLast = i == pieces;
            int size = isLast ? bytes - bytes / pieces * (pieces - 1) : bytes / pieces;
            unanswered++;
            later(startAt + (long) ((double) i / pieces * options.bodyTimeNanos()), stream, () -> {
                unanswered--;
                answers.part(stream, size, isLast);
            });
        }
    }

    @Override
    public void dataBegins(int stream, int bytes) {
        if (bytes > 0) { // what comes is read at once, so that only the first piece has to fit
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
        if (reading.remove(stream) != null) {
            unanswered--;
        }
        int before = due.size();
        due.removeIf(one -> one.stream == stream);
        unanswered -= before - due.size();
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
