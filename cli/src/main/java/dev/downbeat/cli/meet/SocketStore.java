package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.StartCancelledException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client for the store in shard 0's memory. After a broken connection, the next call reconnects. */
final class SocketStore implements SharedStore {
    static final byte PUT = 1;
    static final byte GET = 2;
    static final byte WELCOME = 1;

    /** The client is authenticated, but there are too many connections. */
    static final byte FULL = 2;

    /** The client's token is not the host's. */
    static final byte REJECTED = 3;

    static final int NONE = -1;

    /** The name under which challenges are signed. No note has it, so a signed challenge cannot pass as a note. */
    static final String HELLO = "hello";

    static final int CHALLENGE = 16;
    private static final int CONNECT_MILLIS = 3_000;
    private static final int SILENT_MILLIS = 10_000;

    private final HostPort at;
    private final Token token;
    private @Nullable Socket socket;
    private @Nullable DataInputStream in;
    private @Nullable DataOutputStream out;

    SocketStore(HostPort at, Token token) {
        this.at = at;
        this.token = token;
    }

    private interface Call<T> {
        T on(DataInputStream in, DataOutputStream out) throws IOException;
    }

    private synchronized <T> T call(Call<T> call) throws IOException {
        try {
            DataInputStream from = in;
            DataOutputStream to = out;
            if (from == null || to == null) {
                Socket opened = new Socket();
                socket = opened;
                opened.setTcpNoDelay(true);
                opened.setSoTimeout(SILENT_MILLIS);
                opened.connect(new InetSocketAddress(at.host(), at.port()), CONNECT_MILLIS);
                from = new DataInputStream(opened.getInputStream());
                to = new DataOutputStream(new BufferedOutputStream(opened.getOutputStream()));
                authenticate(from, to);
                in = from;
                out = to;
            }
            return call.on(from, to);
        } catch (IOException gone) {
            close();
            throw gone;
        }
    }

    private void authenticate(DataInputStream from, DataOutputStream to) throws IOException {
        byte[] challenge = new byte[CHALLENGE];
        from.readFully(
                challenge); // a host that hangs up before this may be full or still starting, so the caller retries
        to.write(token.sign(HELLO, challenge));
        to.flush();
        byte answer;
        try {
            answer = from.readByte();
        } catch (EOFException hungUp) {
            // a host that ends, or a handshake that takes too long, does not show that the plans differ
            throw new IOException(at + " closed the connection during the handshake", hungUp);
        }
        if (answer == REJECTED) {
            throw new StartCancelledException(
                    at + " rejected this plan: another plan uses it, or this copy of the plan was changed");
        }
        if (answer == FULL) {
            throw new IOException(at + " has too many connections");
        }
        if (answer != WELCOME) {
            throw new IOException(at + " is not shard 0 of a Downbeat run");
        }
    }

    @Override
    public void put(String name, byte[] note) throws IOException {
        call((from, to) -> {
            to.writeByte(PUT);
            to.writeUTF(name);
            to.writeInt(note.length);
            to.write(note);
            to.flush();
            return from.readByte();
        });
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        return call((from, to) -> {
            to.writeByte(GET);
            to.writeUTF(name);
            to.flush();
            int length = from.readInt();
            if (length == NONE) {
                return Optional.empty();
            }
            if (length < 0 || length > MOST_BYTES) {
                throw new IOException(at + " sent a note of " + length + " bytes");
            }
            byte[] note = new byte[length];
            from.readFully(note);
            return Optional.of(note);
        });
    }

    @Override
    public synchronized void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException broken) {
            // already broken
        }
        socket = null;
        in = null;
        out = null;
    }

    record HostPort(String host, int port) {
        @Override
        public String toString() {
            return "tcp:" + host + ":" + port;
        }
    }
}
