package dev.downbeat.http.two;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.two.H2Receiver.H2Events;
import dev.downbeat.http.two.H2Sender.H2Output;
import dev.downbeat.http.two.StreamSlots.LeastLoaded;
import dev.downbeat.http.wire.ConnectionAttempts;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.ReadBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection (RFC 9113) and its streams. Used once; a new object replaces it after its end. It reports events
 * to its lane, which does the accounting.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
final class H2Connection implements Link.User, H2Events, StreamSlots.Carrier<H2Connection> {
    /** The lane, as seen by its connections. */
    interface Owner {
        /** The server's settings have arrived, and the connection is usable. */
        void greeted(H2Connection connection);

        /** The number of available streams may have changed. */
        void changed(H2Connection connection);

        /** The server accepts no new streams; open ones continue. */
        void retired(H2Connection connection);

        /** An unprocessed request may be sent again; {@code goAway} is the code of the server's GOAWAY, if it sent one. */
        void unprocessed(H2Stream stream, @Nullable ErrorCode goAway, long now);

        /** A request has ended; {@code failure} is null for a complete response. */
        void ended(H2Stream stream, @Nullable Outcome failure, long now);

        void hasOutput(H2Connection connection);

        /**
         * The connection is closed; called before the ends of its requests. {@code why} is null if the close was
         * planned.
         */
        void closed(H2Connection connection, @Nullable Outcome why);
    }

    private final Owner owner;
    private final ConnectionAttempts attempts;
    private final int place;
    private final Link link;
    private final ConnectionCounter counter;
    private final ReadBuffer readBuffer;
    private final H2Stream.StreamTable streams;
    private final H2Output output;
    private final H2Sender sender;
    private final H2Receiver receiver;
    private final HttpOptions.Streams options;
    private final LeastLoaded.Place<H2Connection> standing = new LeastLoaded.Place<>(this);
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private boolean isRetired;
    private boolean isOfferIgnored;

    /** Why nothing more can be sent; data already received is still read. */
    private @Nullable IOException sendFailure;

    private long idleSince;

    /** Whether it is in the lane's list of connections with output; set by the lane. */
    boolean isListed;

    H2Connection(
            Owner owner,
            ConnectionAttempts attempts,
            int place,
            int tlsPlace,
            ConnectionCounter counter,
            ReadBuffer readBuffer,
            HttpOptions.Streams options) {
        this.owner = owner;
        this.attempts = attempts;
        this.place = place;
        this.link = new Link(attempts, this, tlsPlace);
        this.counter = counter;
        this.readBuffer = readBuffer;
        this.streams = new H2Stream.StreamTable(options.streams());
        this.output = new H2Output(link);
        this.sender = new H2Sender(output, streams, counter, attempts::now);
        this.options = options;
        this.receiver = new H2Receiver(this, streams, output, sender, options.receiveWindow(), counter);
    }

    Link link() {
        return link;
    }

    int place() {
        return place;
    }

    @Override
    public LeastLoaded.Place<H2Connection> standing() {
        return standing;
    }

    Deque<H2Stream> waiting() {
        return waiting;
    }

    int streamsOpen() {
        return streams.size();
    }

    int position() {
        return sender.nextStream() / 2;
    }

    /** Whether the server ignored the offer of HTTP/2 or refused it. */
    boolean wasNotChosen() {
        return isOfferIgnored || link.isHttp2Refused();
    }

    long idleSince() {
        return idleSince;
    }

    @Override
    public int load() {
        boolean canTakeMore =
                receiver.isGreeted() && !isRetired && streams.size() < receiver.limit() && !output.isFull();
        return canTakeMore && link.isOpen() ? streams.size() : -1;
    }

    H2Receiver receiver() {
        return receiver;
    }

    @Override
    public void opened() {
        if (attempts.encrypted() && !link.wire().protocol().equals("h2")) {
            link.close();
            counter.closedByUs();
            isOfferIgnored = true;
            finish(HttpFailures.NO_HTTP_2);
            return;
        }
        sender.sendPreface(options.receiveWindow());
        owner.hasOutput(this);
    }

    /** Sends a request on a new stream; {@link #load} must have shown that one is available. */
    void start(H2Stream stream, H2Head head, boolean isConstant) {
        sender.start(stream, head, isConstant);
        owner.hasOutput(this);
    }

    /** Abandons a sent request; the connection stays open. */
    void cancel(H2Stream stream) {
        stream.unblock(attempts.now());
        receiver.cancel(stream);
        markIdle(attempts.now());
        owner.hasOutput(this);
        owner.changed(this);
    }

    /** Accepts no new streams, and closes once the open ones have ended. */
    void retire() {
        isRetired = true;
        owner.changed(this);
        owner.hasOutput(this);
    }

    /**
     * Sends pending output as far as possible. Returns true if sending has failed for good, and received data should be
     * read.
     */
    boolean flush() {
        if (!link.isOpen() || sendFailure != null) {
            return false;
        }
        try {
            boolean wasFull = output.isFull();
            if (output.flush() && sender.hasBlocked()) {
                sender.resumeBodies(attempts.now());
                boolean isCut = output.isFull(); // bodies go on after the lane's other work
                if (output.flush() && isCut) {
                    output.awaitNextFlush();
                }
            }
            if (wasFull && !output.isFull()) {
                owner.changed(this);
            }
            if (isRetired && streams.size() == 0 && output.isEmpty()) {
                closeRetired();
            }
            return false;
        } catch (IOException failed) {
            sendFailure = failed;
            retired();
            return true;
        }
    }

    /** Reads data received before sending failed: responses, and the server's progress. Then the connection ends. */
    void readRest() {
        IOException failed = sendFailure;
        try {
            while (link.isOpen() && read()) {
                // on
            }
        } catch (IOException gone) {
            // The first of two errors is the cause.
        }
        if (link.isOpen() && failed != null) {
            link.broken(failed);
        }
    }

    private void closeRetired() {
        link.close();
        if (receiver.hasGoAway()) {
            counter.closedByServer(true);
        } else {
            counter.closedByUs();
        }
        owner.closed(this, receiver.isGreeted() ? null : receiver.goAwayFailure());
    }

    @Override
    public void ready() throws IOException {
        if (link.isWritable()) {
            owner.hasOutput(this);
        }
        if (link.isReadable()) {
            read();
        }
    }

    private boolean read() throws IOException {
        int read = link.wire().read(readBuffer.buffer());
        if (read == 0) {
            return false;
        }
        long now = attempts.now();
        if (read > 0) {
            counter.received(read);
            try {
                receiver.read(readBuffer.bytes(), read, now);
                owner.hasOutput(this);
            } catch (Http2Exception broken) {
                breakOff(broken.code(), attempts.reason(broken));
            }
        }
        if (link.isOpen() && (read < 0 || link.wire().ended())) {
            link.close();
            counter.closedByServer(receiver.hasGoAway());
            finish(receiver.isGreeted() ? receiver.goAwayError() : greetingFailure());
        }
        return true;
    }

    private Outcome greetingFailure() {
        Outcome farewell = receiver.goAwayFailure();
        return farewell == null ? H2Failures.NO_SETTINGS : farewell;
    }

    /** Ends the connection and its requests, and notifies the peer of the reason. */
    void breakOff(ErrorCode code, Outcome why) {
        output.sendGoAway(code);
        link.close();
        counter.closedByUs();
        finish(why);
    }

    @Override
    public void failedToOpen(Outcome why) {
        finish(why);
    }

    @Override
    public void broken(Outcome why) {
        counter.closedByServer(receiver.hasGoAway());
        finish(why);
    }

    /** The connection is closed: its requests fail with this reason, or with that of the close. */
    private void finish(@Nullable Outcome why) {
        isRetired = true;
        long endedAt = attempts.now();
        H2Stream[] carried = streams.inOrder();
        for (H2Stream stream : carried) {
            receiver.remove(stream);
        }
        owner.closed(this, why);
        for (H2Stream stream : carried) {
            Outcome closed =
                    stream.status > 0 ? HttpFailures.CLOSED_IN_MID_RESPONSE : HttpFailures.CLOSED_BEFORE_RESPONSE;
            owner.ended(stream, why == null ? closed : why, endedAt);
        }
    }

    private void markIdle(long now) {
        if (streams.size() == 0) {
            idleSince = now;
        }
    }

    @Override
    public void greeted() {
        markIdle(receiver.greetedAt());
        owner.greeted(this);
    }

    @Override
    public void changed() {
        owner.changed(this);
    }

    @Override
    public void retired() {
        if (!isRetired) {
            isRetired = true;
            owner.retired(this);
        }
    }

    @Override
    public void unprocessed(H2Stream stream, long now) {
        owner.unprocessed(stream, receiver.goAway(), now);
    }

    @Override
    public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
        markIdle(now);
        owner.ended(stream, failure, now);
    }
}
