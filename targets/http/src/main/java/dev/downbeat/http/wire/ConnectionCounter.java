package dev.downbeat.http.wire;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.exchange.TargetCounts;
import java.util.Map;
import java.util.TreeMap;

/** Counts of a lane's connections and their traffic. Not thread-safe. */
public final class ConnectionCounter {
    private long opened;
    private long resumed;
    private long failed;
    private long closedByServerWithNotice;
    private long closedByServer;
    private long closedByUs;
    private long sentBytes;
    private long receivedBytes;
    private long streams;
    private long sentAgain;
    private long largerThanWindow;
    private long tunnels;
    private final Map<String, Long> unreached = new TreeMap<>();

    void opened(boolean continuesSession) {
        opened++;
        resumed += continuesSession ? 1 : 0;
    }

    /** A connection asks a proxy for a tunnel. */
    void tunnelled() {
        tunnels++;
    }

    void failed() {
        failed++;
    }

    /** An address was passed over for another, with the reason. */
    void passedOver(String address) {
        unreached.merge(address, 1L, Long::sum);
    }

    /** A connection was closed by the server, with or without notice in its last response. */
    public void closedByServer(boolean withNotice) {
        if (withNotice) {
            closedByServerWithNotice++;
        } else {
            closedByServer++;
        }
    }

    public void closedByUs() {
        closedByUs++;
    }

    /** Request bytes before encryption; all are counted, even if sending fails. */
    public void sending(int bytes) {
        sentBytes += bytes;
    }

    /** Response bytes after decryption, including heads. */
    public void received(int bytes) {
        receivedBytes += bytes;
    }

    /** A request started on a stream of its own. */
    public void streamBegun() {
        streams++;
    }

    /** A request was sent again because the server had not processed it or had closed the connection. */
    public void sentAgain() {
        sentAgain++;
    }

    /** A response did not fit into Downbeat's receive window, so its server may have waited for Downbeat. */
    public void largerThanWindow() {
        largerThanWindow++;
    }

    long openedCount() {
        return opened;
    }

    TargetCounts targetCounts() {
        Map<String, Long> counts =
                new TreeMap<>(Map.of(TargetCounts.BYTES_RECEIVED, receivedBytes, "bytes sent", sentBytes));
        TargetCounts.putIfAny(counts, "responses larger than the receive window", largerThanWindow);
        TargetCounts.putIfAny(counts, TargetCounts.TUNNELS, tunnels);
        return new TargetCounts(counts).withUnreached(unreached);
    }

    /**
     * The counts so far.
     *
     * @param open number of open connections
     * @param inUse how many of these carry a request
     */
    public ConnectionCounts counts(long open, long inUse) {
        return new ConnectionCounts(
                opened, resumed, failed, closedByServerWithNotice, closedByServer, closedByUs, open, inUse);
    }

    /** The stream counts: current and maximum number. */
    public StreamCounts streams(long now, long allowed) {
        return new StreamCounts(streams, sentAgain, now, allowed);
    }
}
