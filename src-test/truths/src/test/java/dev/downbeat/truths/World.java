package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.List;

/** A simulated service, network and client. Its methods configure it and return it; it does not change during a run. */
final class World {
    /** More than any run has in flight: no limit on connections or servers. */
    static final int ENOUGH = 20_000;

    final Work work;
    final int servers;

    /** The stalls of each backend. Requests go to the backends in turn. */
    final List<List<Span>> stalls = new ArrayList<>();

    final List<Fault> faults = new ArrayList<>();
    final List<Span> ownPauses = new ArrayList<>();
    boolean sharing;
    boolean dropsAbandoned;
    int queueLimit = Integer.MAX_VALUE;
    int connections = ENOUGH;
    long sendNanos;
    boolean opensForEach;
    long openingNanos;
    boolean opensOneAtATime;
    Step slowStep = Step.HANDSHAKE;
    final List<Span> slowOpenings = new ArrayList<>();
    long tickNanos;
    List<String> names = List.of();
    List<Double> workByName = List.of();

    /** What opening a connection takes, in order. */
    enum Step {
        /** The name lookup: all connections wait for the same one. */
        LOOKUP,
        CONNECT,
        HANDSHAKE
    }

    private World(Work work, int servers) {
        this.work = work;
        this.servers = servers;
        stalls.add(new ArrayList<>());
    }

    /** One backend with an unlimited first-come, first-served queue. */
    static World of(Work work, int servers) {
        return new World(work, servers);
    }

    /** Uses {@code count} backends with the given number of servers each. */
    World backends(int count) {
        while (stalls.size() < count) {
            stalls.add(new ArrayList<>());
        }
        return this;
    }

    /** All backends stall. */
    World stall(Span span) {
        stalls.forEach(each -> each.add(span));
        return this;
    }

    /** The first backend stalls. */
    World firstStalls(Span span) {
        stalls.get(0).add(span);
        return this;
    }

    /** Processor sharing: the servers of a backend work on all of its requests at once. Ignores stalls. */
    World sharing() {
        sharing = true;
        return this;
    }

    /** Whether the service drops an abandoned request when its turn comes; otherwise it works on it in vain. */
    World dropsAbandoned(boolean drops) {
        dropsAbandoned = drops;
        return this;
    }

    /** Limits the queue of each backend; a request that finds it full gets HTTP 503. */
    World queueLimit(int limit) {
        queueLimit = limit;
        return this;
    }

    /** Limits the requests in flight. */
    World connections(int limit) {
        connections = limit;
        return this;
    }

    /** Each request opens a connection, which takes this long, but ends only after any of the spans that cover it. */
    World opensForEach(double seconds, Step slow, List<Span> spans) {
        opensForEach = true;
        openingNanos = Math.round(seconds * 1e9);
        slowStep = slow;
        slowOpenings.addAll(spans);
        return this;
    }

    /** Connections open one after another, as with a service that has one CPU for its TLS handshakes. */
    World oneAtATime() {
        opensOneAtATime = true;
        return this;
    }

    /** Makes a share of the requests fail. If several faults hit a request, the first one counts. */
    World fault(Span when, double share, Fault.Kind kind, double afterSeconds) {
        return faultOf("", when, share, kind, afterSeconds);
    }

    /** Makes a share of the requests of one name fail. */
    World faultOf(String name, Span when, double share, Fault.Kind kind, double afterSeconds) {
        faults.add(new Fault(when, share, kind, Math.round(afterSeconds * 1e9), name));
        return this;
    }

    /** Pauses the client. */
    World pausedOurselves(Span span) {
        ownPauses.add(span);
        return this;
    }

    /** Sets the time that each send costs the client. */
    World sendingTakes(double seconds) {
        sendNanos = Math.round(seconds * 1e9);
        return this;
    }

    /** Makes responses leave only at multiples of this time. */
    World answersAtTicks(double seconds) {
        tickNanos = Math.round(seconds * 1e9);
        return this;
    }

    /** Gives requests these names in turn, and multiplies the work of each name by its factor. */
    World named(List<String> requestNames, List<Double> factors) {
        names = requestNames;
        workByName = factors;
        return this;
    }

    /** The name of a request; empty if requests have no names. */
    String nameOf(long index) {
        return names.isEmpty() ? "" : names.get((int) (index % names.size()));
    }
}
