package dev.downbeat.loopback;

import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one HTTP/2 connection's output within the client's flow-control windows. Guarded by its owner. */
final class Http2Answers {
    private static final byte[] BODY = new byte[Frames.USUAL_PAYLOAD];

    static {
        for (int i = 0; i < BODY.length; i++) {
            BODY[i] = (byte) (i % 2 == 0 ? 'o' : 'k');
        }
    }

    private final OutputStream out;
    private final Frames frames = new Frames();
    private final HpackEncoder encoder = new HpackEncoder(4096);
    private final Map<Integer, Body> open = new HashMap<>();
    private final Deque<Body> blocked = new ArrayDeque<>();
    private long window = 65_535;
    private int firstWindow = 65_535;
    private boolean isCut;

    /** A body in transit. */
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

    Http2Answers(OutputStream out) {
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
        frames.bytes(BODY, 0, bytes);
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
            frames.bytes(BODY, 0, size);
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
        for (int left = blocked.size(); left > 0; left--) {
            Body waiting = blocked.removeFirst();
            waiting.isBlocked = false;
            send(waiting);
        }
    }

    void firstWindow(int bytes) {
        open.values().forEach(body -> body.window += bytes - firstWindow);
        firstWindow = bytes;
    }

    /** Stops sending for a stream. */
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
