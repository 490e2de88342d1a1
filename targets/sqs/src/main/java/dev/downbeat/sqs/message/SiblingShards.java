package dev.downbeat.sqs.message;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * Shards of one run on one machine notify each other of messages that arrived at another shard's consumer, over a
 * socket on 127.0.0.1. The instant is in wall-clock time, which they share. Thread-safe.
 */
public final class SiblingShards {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final String YES = "yes";

    /** Notified of one of this shard's messages. */
    public interface Arrival {
        /** The message arrived; returns whether its lane belongs to this shard. */
        boolean arrived(String lane, long index, Instant at);
    }

    private SiblingShards() {}

    public static LocalListener listen(Arrival arrival) throws IOException {
        return LocalListener.start("downbeat-sqs-siblings", socket -> serve(socket, arrival));
    }

    private static void serve(Socket socket, Arrival arrival) throws IOException {
        BufferedReader in = reader(socket);
        OutputStream out = socket.getOutputStream();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = handle(line, arrival) ? YES : "no";
            out.write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static boolean handle(String line, Arrival arrival) {
        String[] words = line.split(" ", -1);
        try {
            return words.length == 3
                    && arrival.arrived(
                            words[0], Long.parseLong(words[1]), Instant.EPOCH.plusNanos(Long.parseLong(words[2])));
        } catch (NumberFormatException foreign) {
            return false;
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Connections to the other shards, one set per consumer. Not thread-safe. */
    static final class PeerConnections implements AutoCloseable {
        private final Map<Integer, Peer> byPort = new HashMap<>();

        private record Peer(Socket socket, BufferedReader in) {}

        /** Notifies a message's lane of its arrival; false if it is unknown there, or nothing listens. */
        boolean forward(MessageMark mark, Instant at) {
            if (mark.port() == 0) {
                return false;
            }
            long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, at);
            try {
                Peer peer = peer(mark.port());
                String line = mark.lane() + " " + mark.index() + " " + nanos + "\n";
                peer.socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                return YES.equals(peer.in.readLine());
            } catch (IOException gone) {
                Peer dead = byPort.remove(mark.port());
                if (dead != null) {
                    LocalListener.close(dead.socket);
                }
                return false;
            }
        }

        private Peer peer(int port) throws IOException {
            Peer known = byPort.get(port);
            if (known == null) {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
                socket.setSoTimeout(PATIENCE_MILLIS);
                known = new Peer(socket, reader(socket));
                byPort.put(port, known);
            }
            return known;
        }

        @Override
        public void close() {
            byPort.values().forEach(peer -> LocalListener.close(peer.socket));
        }
    }
}
