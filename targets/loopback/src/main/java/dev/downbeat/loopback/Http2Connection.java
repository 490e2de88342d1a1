package dev.downbeat.loopback;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.FrameReader;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.HpackEncoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.loopback.RequestHead.BadRequestException;
import dev.downbeat.loopback.options.CannedResponse;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.LoopbackOptions.Http2Conduct;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.loopback.socket.DueTime;
import dev.downbeat.loopback.socket.ListeningSocket.AcceptedWire;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves one HTTP/2 connection: its own thread reads, and a second one waits for responses that are not due at once
 * ({@link Schedule}). Shared state is guarded by this object.
 */
final class Http2Connection implements FrameReader.Handler {
    private static final int WHOLE_WINDOW = 1 << 30;

    private final AcceptedWire wire;
    private final LoopbackOptions options;
    private final ServerState shared;
    private final LoopbackStats.Counters counters;
    private final RandomGenerator random;
    private final ResponsePlan defaults;
    private final ResponseFrames responses;
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20);
    private final Map<Integer, PendingRequest> reading = new HashMap<>();
    private final Schedule schedule;
    private final Http2Replies replies;
    private int refusableRequests;
    private int served;
    private int lastStream;
    private boolean isLeaving;
    private boolean isOver;

    private record PendingRequest(boolean isHead, String query) {}

    Http2Connection(AcceptedWire wire, ServerState shared, RandomGenerator random) throws IOException {
        this.wire = wire;
        this.options = shared.options();
        this.shared = shared;
        this.counters = shared.counters();
        this.random = random;
        this.defaults = ResponsePlan.of(options);
        this.responses = new ResponseFrames(wire.out());
        this.schedule = new Schedule(this, this::flushAndFinish, wire::close);
        this.replies = new Http2Replies(wire, responses, schedule, counters, random, options.bodyTimeNanos());
    }

    /** Serves until either side closes; the preface has been read. */
    void serve(InputStream in) throws IOException {
        try {
            Http2Conduct conduct = options.http2();
            new DueTime().await(System.nanoTime() + conduct.settingsDelayNanos());
            synchronized (this) {
                responses
                        .frames()
                        .settings(
                                Frames.MAX_CONCURRENT_STREAMS,
                                conduct.maxStreams(),
                                Frames.INITIAL_WINDOW_SIZE,
                                conduct.windowBytes());
                responses.frames().windowUpdate(0, WHOLE_WINDOW);
                responses.flush();
            }
            FrameReader reader = new FrameReader(this);
            byte[] bytes = new byte[32 * 1024];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                synchronized (this) {
                    reader.feed(bytes, 0, read);
                    flushAndFinish();
                }
            }
        } catch (Http2Exception broken) {
            counters.requestsMalformed.increment();
            counters.connectionsClosed.increment();
            synchronized (this) {
                responses.frames().goAway(lastStream, broken.code());
                responses.flush();
            }
            wire.finish();
        } finally {
            synchronized (this) {
                isOver = true;
                schedule.end();
            }
        }
    }

    private void flushAndFinish() throws IOException {
        responses.flush();
        finishIfOver();
    }

    /** Closes a retiring connection after its last response. */
    private void finishIfOver() throws IOException {
        if (isLeaving
                && reading.isEmpty()
                && schedule.isEmpty()
                && !replies.hasHeld()
                && !responses.hasOpenBodies()
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
            if (endStream) {
                respond(stream); // by trailers; a new request is not processed: the client has been notified
            }
            return;
        }
        lastStream = stream;
        int question = path.indexOf("?");
        PendingRequest request =
                new PendingRequest(method.toString().equals("HEAD"), question < 0 ? "" : path.substring(question + 1));
        served++;
        if (options.closeAfter() > 0 && served >= options.closeAfter()) {
            isLeaving = true;
            if (options.closeNotice()) {
                responses.frames().goAway(stream, ErrorCode.NO_ERROR);
            }
        }
        reading.put(stream, request);
        if (endStream) {
            respond(stream);
        }
    }

    private void respond(int stream) throws Http2Exception {
        PendingRequest request = reading.remove(stream);
        if (request == null) {
            return;
        }
        long arrivedAt = System.nanoTime();
        try {
            ResponsePlan requested = request.query.isEmpty() ? defaults : defaults.with(request.query);
            if (requested.misbehaviour() == Misbehaviour.REFUSE_STREAM && ++refusableRequests % 50 == 1) {
                responses.frames().reset(stream, ErrorCode.REFUSED_STREAM);
                return;
            }
            counters.requestsReceived.increment();
            FunctionInstances.Admission admission =
                    shared.admit(arrivedAt, requested.delay().nextNanos(random));
            ResponsePlan plan = admission.isCold() ? requested.ofNewInstance() : requested;
            schedule.at(admission.dueAt(), stream, () -> replies.answer(stream, request.isHead, plan));
        } catch (BadRequestException refused) {
            counters.requestsReceived.increment();
            counters.requestsMalformed.increment();
            responses.head(stream, true, "400");
        } catch (IOException gone) {
            throw new Http2Exception(ErrorCode.INTERNAL_ERROR, String.valueOf(gone.getMessage()));
        }
    }

    @Override
    public void dataBegins(int stream, int bytes) {
        if (bytes > 0) { // data is read at once, so only the first part must fit
            responses.frames().windowUpdate(stream, bytes);
            responses.frames().windowUpdate(0, bytes);
        }
    }

    @Override
    public void data(int stream, byte[] bytes, int from, int to) {}

    @Override
    public void dataEnds(int stream, boolean endStream) throws Http2Exception {
        if (endStream) {
            respond(stream);
        }
    }

    @Override
    public void reset(int stream, ErrorCode code) {
        reading.remove(stream);
        schedule.forget(stream);
        replies.forget(stream);
        responses.forget(stream);
    }

    @Override
    public void setting(int number, long value) {
        if (number == Frames.INITIAL_WINDOW_SIZE) {
            responses.firstWindow((int) value);
        } else if (number == Frames.HEADER_TABLE_SIZE) {
            responses.tableSize(value);
        }
    }

    @Override
    public void settingsEnd() {
        responses.frames().settingsAck();
    }

    @Override
    public void settingsAcknowledged() {}

    @Override
    public void ping(long data) {
        responses.frames().pingAck(data);
    }

    @Override
    public void goAway(int stream, ErrorCode code) {}

    @Override
    public void windowUpdate(int stream, int bytes) {
        responses.widen(stream, bytes);
    }

    @Override
    public void other() {}

    /** Responds to one HTTP/2 connection's requests, or withholds the response. Guarded by its owner. */
    private static final class Http2Replies {
        private static final int MOST_PIECES = 1_000;

        private final AcceptedWire wire;
        private final ResponseFrames responses;
        private final Schedule schedule;
        private final LoopbackStats.Counters counters;
        private final RandomGenerator random;
        private final long bodyTimeNanos;

        /** Streams without a response. */
        private final Set<Integer> held = new HashSet<>();

        Http2Replies(
                AcceptedWire wire,
                ResponseFrames responses,
                Schedule schedule,
                LoopbackStats.Counters counters,
                RandomGenerator random,
                long bodyTimeNanos) {
            this.wire = wire;
            this.responses = responses;
            this.schedule = schedule;
            this.counters = counters;
            this.random = random;
            this.bodyTimeNanos = bodyTimeNanos;
        }

        /** Whether there are unabandoned requests without a response. */
        boolean hasHeld() {
            return !held.isEmpty();
        }

        void forget(int stream) {
            held.remove(stream);
        }

        void answer(int stream, boolean isHead, ResponsePlan plan) throws IOException {
            Misbehaviour misbehaviour = plan.misbehaviour();
            if (misbehaviour.answers()) {
                counters.requestsAnswered.increment();
            } else {
                counters.requestsSpoiled.increment();
            }
            int bytes = isHead || CannedResponse.isBodiless(plan.status()) ? 0 : plan.bodyBytes();
            String status = Integer.toString(plan.status());
            switch (misbehaviour) {
                case NONE, REFUSE_STREAM -> plain(stream, status, bytes, true, false, plan.isCold());
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
                    responses.frames().append(garbage);
                    end();
                }
                case BAD_STATUS_LINE -> responses.head(stream, true, "2x0");
                case HALF_ANSWER -> {
                    int whole = Math.max(2, bytes);
                    responses.head(stream, false, status, "content-length", Integer.toString(whole));
                    responses.part(stream, Math.min(whole / 2, 1000), false);
                    end();
                }
                case RESET_STREAM -> responses.frames().reset(stream, ErrorCode.INTERNAL_ERROR);
                case SLOW_BODY -> slowly(stream, status, bytes);
                case CHUNKED -> plain(stream, status, bytes, false, true, plan.isCold());
                case NO_LENGTH -> plain(stream, status, bytes, false, false, plan.isCold());
                case CONTINUE_FIRST -> {
                    responses.head(stream, false, "100");
                    plain(stream, status, bytes, true, false, plan.isCold());
                }
                case CUT_FRAMES -> {
                    responses.cut();
                    plain(stream, status, bytes, true, false, plan.isCold());
                }
                default -> {
                    byte[] frames = misbehaviour.frames(stream);
                    responses.frames().append(frames);
                }
            }
        }

        private void end() throws IOException {
            counters.connectionsClosed.increment();
            responses.flush();
            wire.finish();
            wire.close();
        }

        private void plain(
                int stream, String status, int bytes, boolean sendsContentLength, boolean hasTrailer, boolean isCold) {
            List<String> fields = new ArrayList<>(List.of("content-type", "text/plain"));
            if (sendsContentLength) {
                fields.addAll(List.of("content-length", Integer.toString(bytes)));
            }
            if (isCold) {
                fields.addAll(List.of("x-cold-start", "true"));
            }
            responses.head(stream, bytes == 0, status, fields.toArray(String[]::new));
            if (bytes > 0) {
                responses.body(stream, bytes, hasTrailer);
            }
        }

        private void slowly(int stream, String status, int bytes) {
            responses.head(stream, bytes == 0, status, "content-length", Integer.toString(bytes));
            int pieces = Math.min(bytes, MOST_PIECES);
            long startAt = System.nanoTime();
            for (int i = 1; i <= pieces; i++) {
                boolean isLast = i == pieces;
                int size = isLast ? bytes - bytes / pieces * (pieces - 1) : bytes / pieces;
                long at = startAt + (long) ((double) i / pieces * bodyTimeNanos);
                schedule.later(at, stream, () -> responses.part(stream, size, isLast));
            }
        }
    }

    /** Writes one HTTP/2 connection's output within the client's flow-control windows. Guarded by its owner. */
    private static final class ResponseFrames {
        private static final byte[] BODY = CannedResponse.body(Frames.DEFAULT_PAYLOAD);

        private final OutputStream out;
        private final Frames frames = new Frames();
        private final HpackEncoder encoder = new HpackEncoder(4096);
        private final Map<Integer, Body> open = new HashMap<>();
        private final Deque<Body> blocked = new ArrayDeque<>();
        private long window = 65_535;
        private int firstWindow = 65_535;
        private boolean isCut;

        private static final class Body {
            private final int stream;
            private final boolean endsWithTrailer;
            private int left;
            private long window;
            private boolean isBlocked;

            Body(int stream, int bytes, boolean endsWithTrailer, long window) {
                this.stream = stream;
                this.left = bytes;
                this.endsWithTrailer = endsWithTrailer;
                this.window = window;
            }
        }

        ResponseFrames(OutputStream out) {
            this.out = out;
        }

        /** The buffer for other frames, before {@link #flush}. */
        Frames frames() {
            return frames;
        }

        /** From now on, sends every byte separately. */
        void cut() {
            isCut = true;
        }

        void field(String name, String value) {
            byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
            byte[] valueBytes = value.getBytes(StandardCharsets.US_ASCII);
            encoder.field(nameBytes, 0, nameBytes.length, valueBytes, 0, valueBytes.length, true, frames);
        }

        /** Adds a head with a status and further names and values. */
        void head(int stream, boolean endStream, String status, String... fields) {
            int at = frames.beginHeaders();
            encoder.begin(frames);
            if (!status.isEmpty()) {
                field(":status", status);
            }
            for (int i = 0; i < fields.length; i += 2) {
                field(fields[i], fields[i + 1]);
            }
            frames.endHeaders(at, stream, endStream);
        }

        /** Adds the body of a head; at least one byte. */
        void body(int stream, int bytes, boolean endsWithTrailer) {
            Body body = new Body(stream, bytes, endsWithTrailer, firstWindow);
            open.put(stream, body);
            send(body);
        }

        /** Adds a small part of an unfinished body; ignores flow control. */
        void part(int stream, int bytes, boolean endStream) {
            frames.head(bytes, Frames.DATA, endStream ? Frames.END_STREAM : 0, stream);
            frames.append(BODY, 0, bytes);
            window -= bytes;
        }

        private void send(Body body) {
            while (body.left > 0) {
                int size = (int) Math.min(Math.min(body.left, BODY.length), Math.min(window, body.window));
                if (size <= 0) {
                    if (!body.isBlocked) {
                        body.isBlocked = true;
                        blocked.add(body);
                    }
                    return;
                }
                boolean isLast = size == body.left && !body.endsWithTrailer;
                frames.head(size, Frames.DATA, isLast ? Frames.END_STREAM : 0, body.stream);
                frames.append(BODY, 0, size);
                body.left -= size;
                body.window -= size;
                window -= size;
            }
            open.remove(body.stream);
            if (body.endsWithTrailer) {
                head(body.stream, true, "", "downbeat-trailer", "end");
            }
        }

        /** The client enlarged a window: of a stream, or of the connection for 0. */
        void widen(int stream, int bytes) {
            Body body = open.get(stream);
            if (stream == 0) {
                window += bytes;
            } else if (body != null) {
                body.window += bytes;
            }
            resume();
        }

        private void resume() {
            for (int left = blocked.size(); left > 0; left--) {
                Body waiting = blocked.removeFirst();
                waiting.isBlocked = false;
                send(waiting);
            }
        }

        void firstWindow(int bytes) {
            open.values().forEach(body -> body.window += bytes - firstWindow);
            firstWindow = bytes;
            resume();
        }

        void forget(int stream) {
            @Nullable Body body = open.remove(stream);
            if (body != null) {
                blocked.remove(body);
            }
        }

        boolean hasOpenBodies() {
            return !open.isEmpty();
        }

        void tableSize(long bytes) {
            encoder.limit(bytes);
        }

        void flush() throws IOException {
            if (isCut) {
                for (int i = 0; i < frames.length(); i++) {
                    out.write(frames.array(), i, 1);
                    out.flush();
                }
            } else if (frames.length() > 0) {
                out.write(frames.array(), 0, frames.length());
                out.flush();
            }
            frames.clear();
        }
    }

    /**
     * One HTTP/2 connection's timed actions, and the thread that waits for them. Guarded by the connection, whose lock it
     * shares.
     */
    private static final class Schedule {
        private static final long SPIN_NANOS = 30_000;
        private static final long IDLE_NANOS = 1_000_000_000;

        @FunctionalInterface
        interface Action {
            void run() throws IOException;
        }

        private record Due(long at, long number, int stream, Action step) implements Comparable<Due> {
            @Override
            public int compareTo(Due other) {
                return at == other.at ? Long.compare(number, other.number) : at - other.at < 0 ? -1 : 1;
            }
        }

        private final Object lock;
        private final Action afterEach;
        private final Runnable onFailure;
        private final PriorityQueue<Due> due = new PriorityQueue<>();
        private @Nullable Thread deliverer;
        private long nextNumber;
        private boolean isOver;

        Schedule(Object lock, Action afterEach, Runnable onFailure) {
            this.lock = lock;
            this.afterEach = afterEach;
            this.onFailure = onFailure;
        }

        /** Runs an action at an instant; now if that has passed. */
        void at(long instant, int stream, Action step) throws IOException {
            if (instant - System.nanoTime() <= 0) {
                step.run();
            } else {
                later(instant, stream, step);
            }
        }

        /** Runs an action at an instant, never within this call. */
        void later(long instant, int stream, Action step) {
            due.add(new Due(instant, nextNumber++, stream, step));
            if (deliverer == null) {
                Thread thread = new Thread(null, this::deliver, "loopback-deliverer", 256 * 1024);
                thread.setDaemon(true);
                deliverer = thread;
                thread.start();
            } else {
                LockSupport.unpark(deliverer);
            }
        }

        void forget(int stream) {
            due.removeIf(one -> one.stream == stream);
        }

        boolean isEmpty() {
            return due.isEmpty();
        }

        void end() {
            isOver = true;
            LockSupport.unpark(deliverer);
        }

        private void deliver() {
            TimerSlack.reduceForThisThread();
            try {
                while (deliverFirst()) {
                    Thread.onSpinWait();
                }
            } catch (IOException gone) {
                onFailure.run();
            }
        }

        /** Runs the first action, or waits until it or an earlier one is due. */
        private boolean deliverFirst() throws IOException {
            long remaining = IDLE_NANOS;
            synchronized (lock) {
                if (isOver) {
                    return false;
                }
                Due first = due.peek();
                if (first != null) {
                    remaining = first.at - System.nanoTime();
                    if (remaining <= 0) {
                        due.remove();
                        first.step.run();
                        afterEach.run();
                        return true;
                    }
                }
            }
            if (remaining > 2 * SPIN_NANOS) {
                LockSupport.parkNanos(this, remaining - SPIN_NANOS);
            }
            return true;
        }
    }
}
