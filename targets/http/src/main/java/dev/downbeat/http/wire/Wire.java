package dev.downbeat.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Non-blocking transport of bytes. Not thread-safe. */
public interface Wire {
    /** Continues the handshake, if any; returns whether the wire is ready for requests. */
    boolean handshake() throws IOException;

    /** Whether the completed handshake resumed a session. */
    boolean resumed();

    /** The protocol chosen in the completed handshake (ALPN); empty if none. */
    String protocol();

    /** Sends as much as possible; returns whether all of {@code from} was sent. */
    boolean write(ByteBuffer from) throws IOException;

    /** Sends the rest of earlier calls; returns whether all was sent. */
    boolean flush() throws IOException;

    /** Reads received data: the number of bytes put into {@code into}, 0 if none, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Whether the next read will return -1 although the channel may never become readable again. */
    boolean ended();

    /** Whether the end came from the sender rather than from a third party. */
    boolean endIsGenuine();

    /** Releases shared resources; must be the last call. */
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
