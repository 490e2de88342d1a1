package dev.downbeat.http.two;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.options.StreamOptions;
import dev.downbeat.http.wire.ConnectionTally;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.Openings;
import dev.downbeat.http.wire.ReadBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/2 (RFC 9113) and the streams on it. It is used once: after its end another takes its place. What it
 * meets it tells its lane, which keeps the books.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
final class H2Connection implements Link.User, H2Events, StreamSlots.Carrier<H2Connection> {
    /** The lane, as its connections see it. */
    interface Owner {
        /** Its settings have come: it can be used. */
        void greeted(H2Connection connection);

        /** How many more streams it can bear may have changed. */
        void changed(H2Connection connection);

        /** It takes no new streams, since the server says so; those that are open go on. */
        void retired(H2Connection connection);

        /** A request that was not processed may be sent again. */
        void unprocessed(H2Stream stream, long now);

        /** A request is over; null for a complete response. */
        void ended(H2Stream stream, @Nullable Outcome failure, long now);

        /** It has something to send. */
        void hasOutput(H2Connection connection);

        /** It is closed; told before the ends of what it carried. {@code why} is null if that was as planned. */
        void closed(H2Connection connection, @Nullable Outcome why);
    }

    private final Owner owner;
    private final Openings openings;
    private final int place;
    private final Link link;
    private final ConnectionTally tally;
    private final ReadBuffer room;
    private final H2Stream.Table streams;
    private final H2Output output;
    private final H2Sender sender;
    private final H2Receiver receiver;
    private final StreamOptions options;
    private final LeastLoaded.Place<H2Connection> standing = new LeastLoaded.Place<>(this);
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private boolean isRetired;

    /** Why nothing can be sent any more; what had come before is still read. */
    private @Nullable IOException sendFailure;

    private long idleSince;

    /** Whether it is among those that have something to send: its lane's mark. */
    boolean isListed;

    /** One that is not open yet, for a place of its lane. */
    H2Connection(
            Owner owner,
            Openings openings,
            int place,
            int tlsPlace,
            ConnectionTally tally,
            ReadBuffer room,
            StreamOptions options) {
        this.owner = owner;
        this.openings = openings;
        this.place = place;
        this.link = new Link(openings, this, tlsPlace);
        this.tally = tally;
        this.room = room;
        this.streams = new H2Stream.Table(options.streams());
        this.output = new H2Output(link);
        this.sender = new H2Sender(output, streams, tally);
        this.options = options;
        this.receiver = new H2Receiver(this, streams, output, sender, options.receiveWindow(), tally);
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

    /** Requests that wait for it to open. */
    Deque<H2Stream> waiting() {
        return waiting;
    }

    int streamsOpen() {
        return streams.size();
    }

    /** How many streams have been begun on it. */
    int position() {
        return sender.nextStream() / 2;
    }

    /** Since when it has carried nothing. */
    long idleSince() {
        return idleSince;
    }

    @Override
    public int load() {
        boolean bears = receiver.isGreeted() && !isRetired && streams.size() < receiver.limit() && !output.isPlenty();
        return bears && link.isOpen() ? streams.size() : -1;
    }

    /** What the server has said. */
    H2Receiver said() {
        return receiver;
    }

    @Override
    public void opened() {
        if (openings.encrypted() && !link.wire().protocol().equals("h2")) {
            link.close();
            tally.closedByUs();
            over(H2Failures.NOT_CHOSEN);
            return;
        }
        sender.greet(options.receiveWindow());
        owner.hasOutput(this);
    }

    /** Sends a request on a new stream; {@link #load} has said that there is one. */
    void start(H2Stream stream, H2Head head, boolean isConstant) {
        sender.start(stream, head, isConstant);
        owner.hasOutput(this);
    }

    /** Gives up a request that was sent: the connection lives on. */
    void cancel(H2Stream stream) {
        stream.unblock(openings.now());
        output.frames().reset(stream.id, ErrorCode.CANCEL);
        receiver.remove(stream);
        rest(openings.now());
        owner.hasOutput(this);
        owner.changed(this);
    }

    /** Takes no new streams, and closes when those that are open have ended. */
    void retire() {
        isRetired = true;
        owner.changed(this);
        owner.hasOutput(this);
    }

    /** Sends what has gathered, as far as it goes; returns whether it never will again, and what has come is to be read. */
    boolean flush() {
        if (!link.isOpen() || sendFailure != null) {
            return false;
        }
        try {
            boolean wasPlenty = output.isPlenty();
            if (output.flush() && sender.isHeldUp()) {
                sender.goOn(openings.now());
                output.flush();
            }
            if (wasPlenty && !output.isPlenty()) {
                owner.changed(this);
            }
            if (isRetired && streams.size() == 0 && output.isEmpty()) {
                leave();
            }
            return false;
        } catch (IOException failed) {
            sendFailure = failed;
            retired();
            return true;
        }
    }

    /**
     * Reads what had come before nothing could be sent any more: responses, and how far the server has got; then the
     * connection ends.
     */
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

    private void leave() {
        link.close();
        if (receiver.isToldToGo()) {
            tally.closedByServer(true);
        } else {
            tally.closedByUs();
        }
        owner.closed(this, null);
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

    /** Returns whether something had come. */
    private boolean read() throws IOException {
        int read = link.wire().read(room.buffer());
        if (read == 0) {
            return false;
        }
        long now = openings.now();
        if (read > 0) {
            tally.received(read);
            try {
                receiver.read(room.bytes(), read, now);
                owner.hasOutput(this);
            } catch (Http2Exception broken) {
                breakOff(broken.code(), openings.reason(broken));
            }
        }
        if (link.isOpen() && (read < 0 || link.wire().ended())) {
            link.close();
            tally.closedByServer(receiver.isToldToGo());
            over(receiver.isGreeted() ? receiver.complaint() : H2Failures.NO_SETTINGS);
        }
        return true;
    }

    /** Ends the connection and what it carries; the other side is told why. */
    void breakOff(ErrorCode code, Outcome why) {
        output.farewell(code);
        link.close();
        tally.closedByUs();
        over(why);
    }

    @Override
    public void failedToOpen(Outcome why) {
        over(why);
    }

    @Override
    public void broken(Outcome why) {
        tally.closedByServer(receiver.isToldToGo());
        over(why);
    }

    /** It is closed: what it carried has failed, for this reason or because of that. */
    private void over(@Nullable Outcome why) {
        isRetired = true;
        long endedAt = openings.now();
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

    /** Nothing is on it, perhaps: from now on it rests. */
    private void rest(long now) {
        if (streams.size() == 0) {
            idleSince = now;
        }
    }

    @Override
    public void greeted() {
        rest(receiver.greetedAt());
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
        owner.unprocessed(stream, now);
    }

    @Override
    public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
        rest(now);
        owner.ended(stream, failure, now);
    }
}
