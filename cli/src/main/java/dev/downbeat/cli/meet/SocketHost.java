package dev.downbeat.cli.meet;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.time.Daemon;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The store in shard 0's memory, to which the other shards connect. Clients without the token are rejected. Names,
 * notes, connections and idle times are limited.
 */
final class SocketHost implements SharedStore {
    private static final Pattern NAMES = Pattern.compile("(ready|state)-\\d{1,6}|clocks|agreed|stop");
    private static final int AUTHENTICATION_MILLIS = 3_000;
    private static final int SILENT_MILLIS = 60_000;
    private static final int MORE_THAN_SHARDS = 16;

    /** Notes may use at most one part in this number of the memory. */
    private static final int MEMORY_SHARE = 2;

    /** Limit of connections that have not authenticated yet. They do not count towards the shards' connections. */
    private static final int MOST_UNAUTHENTICATED = 64;

    private final Map<String, byte[]> notes = new ConcurrentHashMap<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final SecureRandom random = new SecureRandom();
    private final ServerSocket server;
    private final Token token;
    private final int mostNotes;
    private final long mostHeldBytes;
    private final Semaphore unauthenticated = new Semaphore(MOST_UNAUTHENTICATED);
    private final Semaphore slots;
    private final int connections;

    private final Consumer<Thread> threadStarter;

    private SocketHost(
            ServerSocket server, Token token, int shards, long mostHeldBytes, Consumer<Thread> threadStarter) {
        this.threadStarter = threadStarter;
        this.server = server;
        this.token = token;
        this.mostNotes = 2 * shards + MORE_THAN_SHARDS;
        this.mostHeldBytes = mostHeldBytes;
        this.connections = shards + MORE_THAN_SHARDS;
        this.slots = new Semaphore(connections);
    }

    /**
     * Listens at the address of the host name, or at all addresses if the name does not resolve to this machine. In a
     * cluster, a name may be assigned before its address is known.
     */
    static SharedStore listen(SocketStore.HostPort at, Token token, int shards) throws IOException {
        return listen(at, token, shards, Runtime.getRuntime().maxMemory() / MEMORY_SHARE, Thread::start);
    }

    static SharedStore listen(
            SocketStore.HostPort at, Token token, int shards, long mostHeldBytes, Consumer<Thread> threadStarter)
            throws IOException {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(own(at));
            SocketHost host = new SocketHost(server, token, shards, mostHeldBytes, threadStarter);
            Daemon.start("downbeat-meeting-place", host::accept);
            return host;
        } catch (IOException taken) {
            throw new IOException("shard 0 cannot listen at " + at + ": " + Messages.of(taken), taken);
        }
    }

    private static InetSocketAddress own(SocketStore.HostPort at) throws IOException {
        try {
            InetAddress named = InetAddress.getByName(at.host());
            if (NetworkInterface.getByInetAddress(named) != null) {
                return new InetSocketAddress(named, at.port());
            }
        } catch (UnknownHostException notYet) {
            // the name does not resolve here yet
        }
        return new InetSocketAddress(at.port());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (!unauthenticated.tryAcquire()) {
                    socket.close();
                    continue;
                }
                try {
                    threadStarter.accept(Daemon.of("downbeat-meeting-guest", () -> receive(socket)));
                } catch (OutOfMemoryError noThread) {
                    unauthenticated.release();
                    socket.close();
                    throw noThread;
                }
            } catch (IOException | OutOfMemoryError closed) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // possibly out of file descriptors or threads
            }
        }
    }

    private void receive(Socket socket) {
        try (socket) {
            DataInputStream in;
            DataOutputStream out;
            boolean isAuthenticated;
            try {
                socket.setTcpNoDelay(true);
                in = new DataInputStream(socket.getInputStream());
                out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
                isAuthenticated = authenticates(socket, in, out);
            } finally {
                unauthenticated.release();
            }
            if (isAuthenticated && slots.tryAcquire()) {
                serve(socket, in, out);
            } else {
                out.writeByte(isAuthenticated ? SocketStore.FULL : SocketStore.REJECTED);
                out.flush();
            }
        } catch (IOException gone) {
            // other shards are not affected
        }
    }

    /**
     * Whether the client has the token. The whole handshake has a limit, since a client could otherwise stall by sending
     * single bytes.
     *
     * @throws IOException if the handshake takes longer, or the client disconnects
     */
    private boolean authenticates(Socket socket, DataInputStream in, DataOutputStream out) throws IOException {
        byte[] challenge = new byte[SocketStore.CHALLENGE];
        random.nextBytes(challenge);
        out.write(challenge);
        out.flush();
        long endAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AUTHENTICATION_MILLIS);
        byte[] signature = new byte[Token.SIGNATURE_BYTES];
        for (int length = 0; length < signature.length; ) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endAt - System.nanoTime());
            if (leftMillis <= 0) {
                throw new SocketTimeoutException("the handshake took too long");
            }
            socket.setSoTimeout((int) leftMillis);
            int read = in.read(signature, length, signature.length - length);
            if (read < 0) {
                throw new EOFException("the client disconnected");
            }
            length += read;
        }
        return token.isSignature(signature, SocketStore.HELLO, challenge);
    }

    private void serve(Socket socket, DataInputStream in, DataOutputStream out) throws IOException {
        try {
            out.writeByte(SocketStore.WELCOME);
            out.flush();
            socket.setSoTimeout(SILENT_MILLIS);
            while (serveRequest(in, out)) {
                out.flush();
            }
        } finally {
            slots.release();
        }
    }

    /** Serves one request; false closes the connection. */
    private boolean serveRequest(DataInputStream in, DataOutputStream out) throws IOException {
        byte call = in.readByte();
        String name = in.readUTF(); // at most 64 kB
        if (!NAMES.matcher(name).matches()) {
            return false;
        }
        if (call == SocketStore.PUT) {
            int length = in.readInt();
            if (length < 0 || length > MOST_BYTES || (notes.size() >= mostNotes && !notes.containsKey(name))) {
                return false;
            }
            byte[] note = in.readNBytes(length);
            if (note.length < length || heldBytes.get() + length > mostHeldBytes) {
                return false;
            }
            put(name, note);
            out.writeByte(SocketStore.WELCOME);
            return true;
        }
        byte[] note = notes.get(name);
        out.writeInt(note == null ? SocketStore.NONE : note.length);
        out.write(note == null ? new byte[0] : note);
        return call == SocketStore.GET;
    }

    @Override
    public void put(String name, byte[] note) {
        byte[] before = notes.put(name, note);
        heldBytes.addAndGet(note.length - (before == null ? 0 : before.length));
    }

    @Override
    public Optional<byte[]> get(String name) {
        return Optional.ofNullable(notes.get(name));
    }

    /** Waits until the last client has disconnected, since other shards may still need the final state. */
    @Override
    public void close(Duration atMost) throws IOException {
        try {
            if (slots.tryAcquire(connections, atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                slots.release(connections);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
