package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import java.util.Map;

/** What became of the connections of a lane, and what went over them. Not thread-safe. */
final class ConnectionTally {
    private long opened;
    private long resumed;
    private long failed;
    private long closedByServerWithNotice;
    private long closedByServer;
    private long closedByUs;
    private long sentBytes;
    private long receivedBytes;

    void opened(boolean continuesSession) {
        opened++;
        resumed += continuesSession ? 1 : 0;
    }

    /** An attempt to open has ended in nothing. */
    void failed() {
        failed++;
    }

    /** Closed by the server, which had said so with its last response, or had not. */
    void closedByServer(boolean withNotice) {
        if (withNotice) {
            closedByServerWithNotice++;
        } else {
            closedByServer++;
        }
    }

    void closedByUs() {
        closedByUs++;
    }

    /** Bytes of a request, before encryption; all of them, though it may break on the way. */
    void sending(int bytes) {
        sentBytes += bytes;
    }

    /** Bytes of responses, after decryption, heads included. */
    void received(int bytes) {
        receivedBytes += bytes;
    }

    long openedCount() {
        return opened;
    }

    TargetCounts bytes() {
        return new TargetCounts(Map.of("bytes received", receivedBytes, "bytes sent", sentBytes));
    }

    /**
     * The counts up to now.
     *
     * @param open how many are open now
     * @param inUse how many of these carry a request
     */
    ConnectionCounts counts(long open, long inUse) {
        return new ConnectionCounts(
                opened, resumed, failed, closedByServerWithNotice, closedByServer, closedByUs, open, inUse);
    }
}
