package dev.downbeat.http.wire;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.exchange.TargetCounts;
import java.util.HashMap;
import java.util.Map;

/** What became of the connections of a lane, and what went over them. Not thread-safe. */
public final class ConnectionTally {
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
    private long closedWindows;

    void opened(boolean continuesSession) {
        opened++;
        resumed += continuesSession ? 1 : 0;
    }

    /** An attempt to open has ended in nothing. */
    void failed() {
        failed++;
    }

    /** Closed by the server, which had said so with its last response, or had not. */
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

    /** Bytes of a request, before encryption; all of them, though it may break on the way. */
    public void sending(int bytes) {
        sentBytes += bytes;
    }

    /** Bytes of responses, after decryption, heads included. */
    public void received(int bytes) {
        receivedBytes += bytes;
    }

    /** A request begins on a stream of its own. */
    public void streamBegun() {
        streams++;
    }

    /** A response had filled the window that we give to one: the server may have waited for us. */
    public void windowClosed() {
        closedWindows++;
    }

    /** A request that the server had not processed, or that met a closed connection, was sent once more. */
    public void sentAgain() {
        sentAgain++;
    }

    long openedCount() {
        return opened;
    }

    TargetCounts targetCounts() {
        Map<String, Long> counts = new HashMap<>(Map.of("bytes received", receivedBytes, "bytes sent", sentBytes));
        if (closedWindows > 0) {
            counts.put("receive windows filled", closedWindows);
        }
        return new TargetCounts(counts);
    }

    /**
     * The counts up to now.
     *
     * @param open how many are open now
     * @param inUse how many of these carry a request
     */
    public ConnectionCounts counts(long open, long inUse) {
        return new ConnectionCounts(
                opened, resumed, failed, closedByServerWithNotice, closedByServer, closedByUs, open, inUse);
    }

    /** The same of streams: those there are now, and as many as there may be. */
    public StreamCounts streams(long now, long allowed) {
        return new StreamCounts(streams, sentAgain, now, allowed);
    }
}
