package dev.downbeat.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes to and from the other side, never waiting. Not thread-safe. */
public interface Wire {
    /** Goes on with the handshake, if there is one; returns whether the wire is ready for requests. */
    boolean handshake() throws IOException;

    /** Whether the handshake, which is over, continued an earlier session. */
    boolean resumed();

    /** What the handshake, which is over, has chosen to be spoken (ALPN); empty if nothing. */
    String protocol();

    /** Sends as much as goes; returns whether all of {@code from} has left. */
    boolean write(ByteBuffer from) throws IOException;

    /** Sends what an earlier call could not; returns whether all has left. */
    boolean flush() throws IOException;

    /** Reads what has come: the number of bytes put into {@code into}, 0 if there are none, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Whether the next read will return -1 although the channel may never become readable again. */
    boolean ended();

    /** Whether an end that was met is the sender's own, not somebody's on the way. */
    boolean endIsGenuine();

    /** Gives back what it holds of others; nothing may be called after it. */
    void release();

    /** An unencrypted connection. */
    record Plain(SocketChannel channel) implements Wire {
        @Override
        public boolean handshake() {
            return true;
        }

        @Override
        public boolean resumed() {
            return false;
        }

        @Override
        public String protocol() {
            return "";
        }

        @Override
        public boolean write(ByteBuffer from) throws IOException {
            channel.write(from);
            return !from.hasRemaining();
        }

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public boolean ended() {
            return false;
        }

        @Override
        public boolean endIsGenuine() {
            return true;
        }

        @Override
        public void release() {}
    }
}
