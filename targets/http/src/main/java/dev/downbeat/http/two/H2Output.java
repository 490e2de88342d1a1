package dev.downbeat.http.two;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What one connection has to send: gathered, and sent in as few pieces as go. Not thread-safe. */
final class H2Output {
    /** So much may wait for a peer that does not read before nothing is added that can wait elsewhere. */
    private static final int PLENTY_BYTES = 256 * 1024;

    private final Link link;
    private final Frames frames = new Frames();
    private ByteBuffer buffer = ByteBuffer.allocateDirect(frames.array().length);
    private boolean awaitsPeer;

    H2Output(Link link) {
        this.link = link;
    }

    /** Where frames are added. */
    Frames frames() {
        return frames;
    }

    boolean isPlenty() {
        return frames.length() > PLENTY_BYTES;
    }

    /** Whether nothing waits, encrypted or not. */
    boolean isEmpty() {
        return frames.length() == 0 && !awaitsPeer;
    }

    /** Sends why the connection ends. */
    void farewell(ErrorCode code) {
        frames.goAway(0, code);
        try {
            flush();
        } catch (IOException gone) {
            // Then it does not hear it.
        }
    }

    /** Sends as much as goes, now and when the peer has read; returns whether nothing is left. */
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
