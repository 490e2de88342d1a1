package dev.downbeat.http.two;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection's pending output, sent in as few writes as possible. Not thread-safe. */
final class H2Output {
    /** With this much pending for a slow peer, output that can wait elsewhere is not added. */
    private static final int PLENTY_BYTES = 256 * 1024;

    private final Link link;
    private final Frames frames = new Frames();
    private ByteBuffer buffer = ByteBuffer.allocateDirect(frames.array().length);
    private boolean awaitsPeer;

    H2Output(Link link) {
        this.link = link;
    }

    /** The buffer for frames. */
    Frames frames() {
        return frames;
    }

    boolean isPlenty() {
        return frames.length() > PLENTY_BYTES;
    }

    /** Whether no output is pending, encrypted or not. */
    boolean isEmpty() {
        return frames.length() == 0 && !awaitsPeer;
    }

    /** Sends the reason for the end of the connection. */
    void sendGoAway(ErrorCode code) {
        frames.goAway(0, code);
        try {
            flush();
        } catch (IOException gone) {
            // The peer then does not receive it.
        }
    }

    /** Sends as much as possible; returns whether nothing is left. */
    boolean flush() throws IOException {
        if (isEmpty()) {
            return true;
        }
        Wire wire = link.wire();
        boolean isGone = wire.flush();
        if (isGone && frames.length() > 0) {
            if (buffer.capacity() < frames.length()) {
                buffer = ByteBuffer.allocateDirect(frames.array().length);
            }
            buffer.clear().put(frames.array(), 0, frames.length()).flip();
            isGone = wire.write(buffer);
            frames.drop(buffer.position());
        }
        if (awaitsPeer == isGone) {
            awaitsPeer = !isGone;
            link.awaitWritable(awaitsPeer);
        }
        return isGone;
    }
}
